import type { RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import type { Environment } from '../../environment.ts';
import type { Expression, Scope } from '../expression.ts';

/** Accumulates a value over the documents of a group or window. */
export interface Accumulator {
  add(scope: Scope): void;
  /** Removes the value that was added first. Absent if the accumulator cannot remove values. */
  removeFirst?(): void;
  /**
   * Returns the value accumulated so far, or `undefined` if the value is missing. `add` may still be called
   * afterwards.
   */
  result(): Value | undefined;
  /** Number of bytes of the values that it keeps. Undefined if it keeps none. */
  readonly size?: number | undefined;
}

/**
 * Creates the accumulator of one group. `group` is the key of the group, from which an accumulator such as
 * `$firstN` may compute how many values it keeps.
 */
export type CreateAccumulator = (group: RawDocument) => Accumulator;

export interface AccumulatorContext {
  readonly environment: Environment;
  readonly compile: (value: Value) => Expression;
  /** If set, an array operand counts as one argument, not as a list of arguments. */
  readonly listed?: 'value';
}

/** Validates and compiles the operand, an element that has the name of the accumulator. */
export type AccumulatorKind = (operand: Element, context: AccumulatorContext) => CreateAccumulator;

export type AccumulatorTable = Readonly<Record<string, AccumulatorKind>>;
