import type { QuickJSSyncVariant } from 'quickjs-emscripten-core';
import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { WaitForPreparation } from '../errors/interruption.ts';
import type { ScriptFunction, Scripts } from '../language/scripts.ts';
import type { Statement } from '../statement/statement.ts';
import { valueOfText, valuesOfPairs } from './from-text.ts';
import { type CallMode, type Interpreters, Sandbox, type ScriptClock } from './sandbox.ts';
import { ScriptText } from './to-text.ts';

/** Maximum number of open interpreters. An operation whose interpreter was closed gets a new one. */
const MAX_SANDBOXES = 4;

type NewMemory = new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };

/** The types of Node.js declare `WebAssembly` without its constructors. */
const { Memory } = Reflect.get(globalThis, 'WebAssembly') as { readonly Memory: NewMemory };

/** The types of the package are those of its CommonJS build. */
interface Variant {
  readonly default: QuickJSSyncVariant;
}

const PAGE_BYTES = 65_536;
/** Initial memory of the module, in pages. */
const FIRST_PAGES = (16 << 20) / PAGE_BYTES;
/** Maximum memory of all interpreters of a thread, in pages. A script that needs more ends with "out of memory". */
const MAX_PAGES = (128 << 20) / PAGE_BYTES;

/** The interpreters of a thread. Their module, which takes about 10 MB, is loaded on first use. */
export class ScriptHost {
  readonly #clock: ScriptClock;
  #interpreters: Interpreters | undefined;
  #loading: Promise<void> | undefined;
  /** The open interpreters, the least recently used first. */
  readonly #sandboxes = new Map<OperationScripts, Sandbox>();

  constructor(clock: ScriptClock) {
    this.#clock = clock;
  }

  /** Returns the scripts of an operation, whose statement can be interrupted while a script is running. */
  open(enabled: boolean, statement: Statement): Scripts {
    return new OperationScripts(this, enabled, statement);
  }

  /** Throws `WaitForPreparation` while the module is being loaded. */
  prepare(): Interpreters {
    if (this.#interpreters !== undefined) return this.#interpreters;
    this.#loading ??= this.#load();
    throw new WaitForPreparation(this.#loading);
  }

  sandboxOf(operation: OperationScripts): Sandbox {
    const sandbox =
      this.#sandboxes.get(operation) ?? new Sandbox(this.prepare(), operation.statement, this.#clock);
    this.#sandboxes.delete(operation);
    this.#sandboxes.set(operation, sandbox);
    for (const [other, idle] of this.#sandboxes) {
      if (this.#sandboxes.size <= MAX_SANDBOXES) break;
      if (idle.busy || other === operation) continue;
      this.#sandboxes.delete(other);
      idle.dispose();
    }
    return sandbox;
  }

  async #load(): Promise<void> {
    const { newQuickJSWASMModuleFromVariant, newVariant } = await import('quickjs-emscripten-core');
    const { default: variant } = (await import('@jitl/quickjs-wasmfile-release-sync')) as unknown as Variant;
    const wasmMemory = new Memory({ initial: FIRST_PAGES, maximum: MAX_PAGES });
    const module = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmMemory }));
    this.#interpreters = { module, memory: wasmMemory };
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
      const { pieces, tagged } = text;
      return this.#host.sandboxOf(this).run(mode, code, { text: given, pieces, tagged });
    };
    return {
      call: (args, self) => valueOfText(run('call', self, args)),
      test: (self) => run('test', self, []).answer === true,
      emits: (self) => valuesOfPairs(run('emits', self, [])),
    };
  }
}
