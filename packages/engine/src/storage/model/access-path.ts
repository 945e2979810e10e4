import type { Interval } from '../../language/filter/bounds.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { KeyRange } from './range.ts';

/** How a scan reads the documents of a collection, and which of them. */
export type AccessPath =
  /** In insertion order: all documents, or oplog entries with times in the interval. */
  | { readonly kind: 'natural'; readonly reverse: boolean; readonly times?: Interval }
  /** In `_id` order: documents with a key in one of the intervals, or all. Intervals are sorted and disjoint. */
  | { readonly kind: 'byId'; readonly intervals?: readonly Interval[]; readonly reverse: boolean }
  /** In index order: documents with a key in one of the ranges. Ranges are sorted and disjoint. */
  | {
      readonly kind: 'index';
      readonly index: IndexDefinition;
      readonly ranges: readonly KeyRange[];
      readonly reverse: boolean;
      /** Bounds of each part, for `explain`; of a wildcard index, of the field's name and its value. */
      readonly bounds?: ReadonlyArray<readonly Interval[]>;
      /** The field for which a wildcard index is used. */
      readonly field?: string;
      /** The query needs only the fields of these parts: documents are not fetched if their keys suffice. */
      readonly covered?: ReadonlySet<number>;
    }
  /** The union of several paths, without duplicates, unordered. */
  | { readonly kind: 'union'; readonly paths: readonly AccessPath[]; readonly reverse: false };
