import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';
import type { Expression } from '../../expression/expression.ts';
import type { Sort } from '../../sort.ts';
import type { TimeUnit } from './units.ts';

/** The documents that windows move over, in order. */
export interface Partition {
  readonly docs: readonly RawDocument[];
  readonly sort: Sort | undefined;
  /** The value that the documents are sorted by, where that is one field. */
  readonly sortValue: Expression | undefined;
}

/** The places of the documents in the window of one document: both inclusive, none where `to` is less. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export type Frame = (partition: Partition) => (place: number) => Span;

/** Which documents a function sees. */
export interface Window {
  readonly frame: Frame;
  readonly unit: TimeUnit | undefined;
  /** Its beginning moves on, so that documents leave it. */
  readonly slides: boolean;
}

/** What a function answers for each document of a partition; `undefined` is a value that is missing. */
export type WindowFunction = (partition: Partition) => ReadonlyArray<Value | undefined>;

export const wholePartition: Frame =
  ({ docs }) =>
  () => ({ from: 0, to: docs.length - 1 });
