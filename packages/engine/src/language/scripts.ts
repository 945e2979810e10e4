import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';

/** Runs scripts of clients, isolated per operation. */
export interface Scripts {
  /** False if the deployment has scripts disabled. */
  readonly enabled: boolean;
  /** Ensures that scripts can run; throws an error that retries the operation later if loading takes time. */
  prepare(): void;
  /** `code` is a function, an expression or a function body. Syntax errors are reported by the first call. */
  compile(code: string): ScriptFunction;
}

/** Throws `JSInterpreterFailure` for any failure in the script. */
export interface ScriptFunction {
  call(args: readonly Value[], self?: RawDocument): Value;
  /** True if the result is truthy; the document is `this` and the global `obj`. */
  test(self: RawDocument): boolean;
  /** The emitted keys and values. */
  emits(self: RawDocument): ReadonlyArray<readonly [key: Value, value: Value]>;
}
