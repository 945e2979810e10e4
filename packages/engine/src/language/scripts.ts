import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';

/** Runs scripts of clients, isolated per operation. */
export interface Scripts {
  /** False if scripts are disabled in the deployment. */
  readonly enabled: boolean;
  /** Loads the script engine. If loading takes time, throws an error that makes the operation start again later. */
  prepare(): void;
  /** Compiles `code`: a function, an expression or a function body. The first call reports syntax errors. */
  compile(code: string): ScriptFunction;
}

/** Throws `JSInterpreterFailure` for any failure in the script. */
export interface ScriptFunction {
  call(args: readonly Value[], self?: RawDocument): Value;
  /** True if the result is truthy. The script sees the document as `this` and as the global `obj`. */
  test(self: RawDocument): boolean;
  /** Returns the keys and values that the script emits. */
  emits(self: RawDocument): ReadonlyArray<readonly [key: Value, value: Value]>;
}
