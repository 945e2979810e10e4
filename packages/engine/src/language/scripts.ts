import type { RawDocument } from '../bson/raw.ts';
import type { Value } from '../bson/value.ts';

/** Runs functions that callers have written, each operation's apart from all others. */
export interface Scripts {
  /** False where the deployment runs no scripts. */
  readonly enabled: boolean;
  /**
   * Makes sure that scripts can be run; throws what lets the operation be run again later where that takes time.
   */
  prepare(): void;
  /** `code` is a function, an expression, or the body of a function. Syntax errors come with the first call. */
  compile(code: string): ScriptFunction;
}

/** Throws `JSInterpreterFailure` for whatever goes wrong in the script. */
export interface ScriptFunction {
  call(args: readonly Value[], self?: RawDocument): Value;
  /** Whether what it answers counts as true; the document is `this` and the global `obj`. */
  test(self: RawDocument): boolean;
  /** The keys and values that it emits. */
  emits(self: RawDocument): ReadonlyArray<readonly [key: Value, value: Value]>;
}
