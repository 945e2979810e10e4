import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Sort } from '../../sort.ts';
import type { TimeUnit } from './units.ts';

/** The sorted documents over which windows move. */
export interface Partition {
  readonly docs: readonly RawDocument[];
  readonly sort: Sort | undefined;
  /** The sort value, if the sort has one field. */
  readonly sortValue: Expression | undefined;
}

/** The indexes of the documents in a window, inclusive; empty if `to` is less than `from`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Frame = (partition: Partition) => (place: number) => Span;

/** The documents that a function sees. */
export interface Window {
  readonly frame: Frame;
  readonly unit: TimeUnit | undefined;
  /** The start of the window moves, so documents leave it. */
  readonly slides: boolean;
}

/**
 * Returns the value for the document at a place of the partition; `undefined` if it is missing. Called once for each
 * place, in order, so that only the value of one document is in memory.
 */
export type WindowFunction = (partition: Partition) => (place: number) => Value | undefined;

export const wholePartition: Frame =
  ({ docs }) =>
  () => ({ from: 0, to: docs.length - 1 });
