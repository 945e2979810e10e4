import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Sort } from '../../sort.ts';
import type { TimeUnit } from './units.ts';

/** The sorted documents over which windows move. */
export interface Partition {
  readonly docs: readonly RawDocument[];
  readonly sort: Sort | undefined;
  /** The value to sort by, if the sort has exactly one field. */
  readonly sortValue: Expression | undefined;
}

/** The positions in the partition of the first and the last document of a window; empty if `to` is less than `from`. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Frame = (partition: Partition) => (place: number) => Span;

/** Defines which documents a window function reads for each document. */
export interface Window {
  readonly frame: Frame;
  readonly unit: TimeUnit | undefined;
  /** True if the start of the window moves, so that documents leave it. */
  readonly slides: boolean;
  /** True if every window contains the current document. */
  readonly hasCurrent: boolean;
}

/**
 * Returns a function that computes the value for the document at an index of the partition; `undefined` means a missing
 * value. The function is called once per index in ascending order, so that only one document's value is in memory.
 */
export type WindowFunction = (partition: Partition) => (place: number) => Value | undefined;

export const wholePartition: Frame =
  ({ docs }) =>
  () => ({ from: 0, to: docs.length - 1 });
