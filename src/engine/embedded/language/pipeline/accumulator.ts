import type { Expression, Scope } from '../expression/expression.ts';
import type { Value } from '../value.ts';

/** Collects one value over the documents of a group. */
export interface Accumulator {
  add(scope: Scope): void;
  result(): Value;
}

/** Makes accumulators of one kind over an argument, one for each group. */
export type AccumulatorKind = (argument: Expression) => () => Accumulator;

export type AccumulatorTable = Readonly<Record<string, AccumulatorKind>>;
