import type { Interval } from '../language/filter/bounds.ts';

/** In which way the documents of a collection are visited, and which of them. */
export type AccessPath =
  /**
   * In the order in which they were inserted: all, or those of the oplog whose time has a key in the interval.
   */
  | { readonly kind: 'natural'; readonly reverse: boolean; readonly times?: Interval }
  /** In the order of `_id`: those whose key lies in one of the intervals, or all. Intervals are in order and apart. */
  | { readonly kind: 'byId'; readonly intervals?: readonly Interval[]; readonly reverse: boolean };
