import type { RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import type { Environment } from '../../environment.ts';
import type { Expression, Scope } from '../expression.ts';

/** Accumulates a value over the documents of a group or window. */
export interface Accumulator {
  add(scope: Scope): void;
  /** The value so far; `undefined` if it is missing. `add` may be called afterwards. */
  result(): Value | undefined;
  /** Memory in bytes, if it grows with the input. */
  readonly size?: number;
}

/** Creates the accumulator of one group. `group` is the group's key, on which the number of kept values may depend. */
export type CreateAccumulator = (group: RawDocument) => Accumulator;

export interface AccumulatorContext {
  readonly environment: Environment;
  readonly compile: (value: Value) => Expression;
  /** If set, an array operand counts as one argument, not as a list of arguments. */
  readonly listed?: 'value';
}

/** Validates the operand, whose name is that of the accumulator, and compiles it. */
export type AccumulatorKind = (operand: Element, context: AccumulatorContext) => CreateAccumulator;

export type AccumulatorTable = Readonly<Record<string, AccumulatorKind>>;
