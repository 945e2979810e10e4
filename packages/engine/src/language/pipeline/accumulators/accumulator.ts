import type { RawDocument } from '../../../bson/raw.ts';
import type { Element, Value } from '../../../bson/value.ts';
import type { Environment } from '../../expression/environment.ts';
import type { Expression, Scope } from '../../expression/expression.ts';

/** Collects one value over the documents of a group or a window. */
export interface Accumulator {
  add(scope: Scope): void;
  /** What was collected so far; `undefined` is a value that is missing. More may be added after. */
  result(): Value | undefined;
  /** Bytes that it holds, where that grows with what it is given. */
  readonly size?: number;
}

/** Makes the accumulator of one group; `group` is what the group's key is, for how many values it keeps. */
export type CreateAccumulator = (group: RawDocument) => Accumulator;

export interface AccumulatorContext {
  readonly environment: Environment;
  readonly compile: (value: Value) => Expression;
  /** A list is no list of arguments, but the only one. */
  readonly listed?: 'value';
}

/** Checks the operand, whose name is the operator's. */
export type AccumulatorKind = (operand: Element, context: AccumulatorContext) => CreateAccumulator;

export type AccumulatorTable = Readonly<Record<string, AccumulatorKind>>;
