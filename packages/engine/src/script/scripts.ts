import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';
import { WaitForPreparation } from '../errors/interruption.ts';
import { ServerError } from '../errors/server-error.ts';
import type { ScriptFunction, Scripts } from '../language/scripts.ts';
import type { Statement } from '../statement/statement.ts';
import { valueOfText, valuesOfPairs } from './from-text.ts';
import { Interpreters } from './interpreters.ts';
import { type Answered, type CallMode, type Given, Sandbox, type ScriptClock } from './sandbox.ts';
import { ScriptText } from './to-text.ts';

const NO_INTERPRETER = 'too many scripts run at the same time; try again';

/** Runs the scripts of all operations of a thread. */
export class ScriptHost {
  readonly #clock: ScriptClock;
  readonly #interpreters = new Interpreters();
  /**
   * The open sandboxes, the least recently used first. If the sandbox of an operation was closed, the operation gets a
   * new one.
   */
  readonly #sandboxes = new Map<OperationScripts, Sandbox>();

  constructor(clock: ScriptClock) {
    this.#clock = clock;
  }

  /**
   * Returns the scripts of an operation. While a script is running, the statement of the operation can be interrupted.
   */
  open(enabled: boolean, statement: Statement): Scripts {
    return new OperationScripts(this, enabled, statement);
  }

  /** Reserves an interpreter. Throws `WaitForPreparation` if none is free. */
  prepare(operation: OperationScripts): void {
    const known = this.#sandboxes.get(operation);
    if (known !== undefined && !known.unusable) return;
    for (const [other, idle] of this.#sandboxes)
      if (!idle.busy && (idle.isLarge || this.#interpreters.isEmpty)) this.#close(other, idle);
    const interpreter = this.#interpreters.take();
    this.#sandboxes.set(operation, new Sandbox(interpreter, operation.statement, this.#clock));
  }

  run(operation: OperationScripts, mode: CallMode, code: string, given: Given): Answered {
    try {
      this.prepare(operation);
    } catch (error) {
      // To wait for an interpreter, the statement would have to run again. A statement that reads a cursor cannot, so
      // it fails.
      if (error instanceof WaitForPreparation) throw new ServerError('JSInterpreterFailure', NO_INTERPRETER);
      throw error;
    }
    const sandbox = this.#sandboxes.get(operation) as Sandbox;
    this.#sandboxes.delete(operation);
    this.#sandboxes.set(operation, sandbox);
    try {
      return sandbox.run(mode, code, given);
    } finally {
      if (sandbox.unusable) this.#close(operation, sandbox);
    }
  }

  #close(operation: OperationScripts, sandbox: Sandbox): void {
    this.#sandboxes.delete(operation);
    const { interpreter } = sandbox;
    if (sandbox.unusable || sandbox.isLarge) {
      this.#interpreters.discard(interpreter);
    } else {
      sandbox.dispose();
      this.#interpreters.giveBack(interpreter);
    }
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
    this.#host.prepare(this);
  }

  compile(code: string): ScriptFunction {
    this.prepare();
    const run = (mode: CallMode, self: RawDocument | undefined, args: readonly Value[]) => {
      const text = new ScriptText();
      const given = `[${text.of(self?.toValue())},[${args.map((arg) => text.of(arg)).join()}]]`;
      const { pieces, tagged } = text;
      return this.#host.run(this, mode, code, { text: given, pieces, tagged });
    };
    return {
      call: (args, self) => valueOfText(run('call', self, args)),
      test: (self) => run('test', self, []).answer === true,
      emits: (self) => valuesOfPairs(run('emits', self, [])),
    };
  }
}
