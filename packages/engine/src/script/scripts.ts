import type { QuickJSWASMModule } from 'quickjs-emscripten-core';
import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { WaitForPreparation } from '../errors/interruption.ts';
import type { ScriptFunction, Scripts } from '../language/scripts.ts';
import type { Statement } from '../statement/statement.ts';
import { valueOfParsed, valueOfText } from './from-text.ts';
import { type CallMode, Sandbox, type ScriptClock } from './sandbox.ts';
import { ScriptText } from './to-text.ts';

/** Maximum number of open interpreters; an operation whose interpreter was closed gets a new one. */
const MOST_SANDBOXES = 4;

/** The interpreters of one thread. The module they need, some 10 MB in memory, is loaded on first use. */
export class ScriptHost {
  readonly #clock: ScriptClock;
  #module: QuickJSWASMModule | undefined;
  #loading: Promise<void> | undefined;
  /** Least recently used first. */
  readonly #sandboxes = new Map<OperationScripts, Sandbox>();

  constructor(clock: ScriptClock) {
    this.#clock = clock;
  }

  /** Opens the scripts of one operation, whose statement may be interrupted while a script runs. */
  open(enabled: boolean, statement: Statement): Scripts {
    return new OperationScripts(this, enabled, statement);
  }

  /** Throws `WaitForPreparation` while the module is being loaded. */
  prepare(): QuickJSWASMModule {
    if (this.#module !== undefined) return this.#module;
    this.#loading ??= this.#load();
    throw new WaitForPreparation(this.#loading);
  }

  sandboxOf(operation: OperationScripts): Sandbox {
    const sandbox =
      this.#sandboxes.get(operation) ?? new Sandbox(this.prepare(), operation.statement, this.#clock);
    this.#sandboxes.delete(operation);
    this.#sandboxes.set(operation, sandbox);
    for (const [other, idle] of this.#sandboxes) {
      if (this.#sandboxes.size <= MOST_SANDBOXES) break;
      if (idle.busy || other === operation) continue;
      this.#sandboxes.delete(other);
      idle.dispose();
    }
    return sandbox;
  }

  async #load(): Promise<void> {
    const { newQuickJSWASMModuleFromVariant } = await import('quickjs-emscripten-core');
    const variant = import('@jitl/quickjs-wasmfile-release-sync');
    this.#module = await newQuickJSWASMModuleFromVariant(variant);
  }
}

class OperationScripts implements Scripts {
  readonly #host: ScriptHost;
  readonly enabled: boolean;
  readonly statement: Statement;

  constructor(host: ScriptHost, enabled: boolean, statement: Statement) {
    this.#host = host;
    this.enabled = enabled;
    this.statement = statement;
  }

  prepare(): void {
    this.#host.prepare();
  }

  compile(code: string): ScriptFunction {
    this.prepare();
    const run = (mode: CallMode, self: RawDocument | undefined, args: readonly Value[]) => {
      const text = new ScriptText();
      const given = `[${text.of(self?.toValue())},[${args.map((arg) => text.of(arg)).join()}]]`;
      return this.#host.sandboxOf(this).run(mode, code, given, text.tagged);
    };
    return {
      call: (args, self) => valueOfText(String(run('call', self, args))),
      test: (self) => run('test', self, []) === true,
      emits: (self) =>
        (JSON.parse(String(run('emits', self, []))) as Array<[unknown, unknown]>).map(([key, value]) => [
          valueOfParsed(key),
          valueOfParsed(value),
        ]),
    };
  }
}
