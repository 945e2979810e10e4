import type { Interval } from '../language/filter/bounds.ts';
import type { IndexDefinition } from './indexes/index-definition.ts';
import type { KeyRange } from './indexes/range.ts';

/** In which way the documents of a collection are visited, and which of them. */
export type AccessPath =
  /**
   * In the order in which they were inserted: all, or those of the oplog whose time has a key in the interval.
   */
  | { readonly kind: 'natural'; readonly reverse: boolean; readonly times?: Interval }
  /** In the order of `_id`: those whose key lies in one of the intervals, or all. Intervals are in order and apart. */
  | { readonly kind: 'byId'; readonly intervals?: readonly Interval[]; readonly reverse: boolean }
  /** In the order of an index: documents whose keys lie in one of the ranges. Ranges are in order and apart. */
  | {
      readonly kind: 'index';
      readonly index: IndexDefinition;
      readonly ranges: readonly KeyRange[];
      readonly reverse: boolean;
      /** Of each part, for whoever shows it; of an index over all fields, of the name of the field and its value. */
      readonly bounds?: ReadonlyArray<readonly Interval[]>;
      /** The field for which an index over all fields is used. */
      readonly field?: string;
      /** Documents need no fields but those of these parts: keys that tell them are not followed to their documents. */
      readonly covered?: ReadonlySet<number>;
    }
  /** Those of several paths, each once, in no order. */
  | { readonly kind: 'union'; readonly paths: readonly AccessPath[]; readonly reverse: false };
