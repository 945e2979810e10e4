import type { RawDocument } from '../../bson/raw.ts';
import type { Interval } from '../../language/filter/bounds.ts';
import type { IndexDefinition } from './index-definition.ts';
import type { KeyRange } from './range.ts';

/** A test of the values that a key contains. */
export interface KeyTest {
  /** The index parts whose values are tested. */
  readonly parts: ReadonlySet<number>;
  /** Takes a document with the values of these parts. Returns false if no document with this key can match. */
  accepts(values: RawDocument): boolean;
}

/** How a scan reads a collection, and which documents it returns. */
export type AccessPath =
  /** In insertion order: all documents, or the oplog entries with times in the interval. */
  | { readonly kind: 'natural'; readonly reverse: boolean; readonly times?: Interval }
  /** In `_id` order: the documents with a key in one of the intervals, or all. Intervals are sorted and disjoint. */
  | { readonly kind: 'byId'; readonly intervals?: readonly Interval[]; readonly reverse: boolean }
  /** In index order: the documents with a key in one of the ranges. Ranges are sorted and disjoint. */
  | {
      readonly kind: 'index';
      readonly index: IndexDefinition;
      readonly ranges: readonly KeyRange[];
      readonly reverse: boolean;
      /**
       * The bounds of each index part, for `explain`. A wildcard index has bounds of the field name and of the value.
       */
      readonly bounds?: ReadonlyArray<readonly Interval[]>;
      /** The field for which the wildcard index is used. */
      readonly field?: string;
      /**
       * The index parts that contain all fields that the query needs. A document is read only if its key does
       * not determine their values.
       */
      readonly covered?: ReadonlySet<number>;
      /** A test of the keys. The scan reads only the documents whose keys pass it. */
      readonly keyTest?: KeyTest;
      /** The name of the scan, if it does not read every key and document: it counts keys, or finds distinct values. */
      readonly scan?: 'COUNT_SCAN' | 'DISTINCT_SCAN';
    }
  /**
   * The records of several paths, each of which has the same order, in this order. `sort` describes the order for
   * `explain`. If the paths are parts of a scan of one index, `whole` is this scan.
   */
  | {
      readonly kind: 'merge';
      readonly paths: readonly AccessPath[];
      readonly compare: (a: RawDocument, b: RawDocument) => number;
      readonly sort: RawDocument;
      readonly whole?: IndexPath;
      readonly reverse: false;
    }
  /** The union of several paths, without duplicates and in no particular order. */
  | { readonly kind: 'union'; readonly paths: readonly AccessPath[]; readonly reverse: false };

/** A plan that reads no documents: of a collection that does not exist, and of a count of all documents. */
export type EmptyPlan = 'EOF' | 'RECORD_STORE_FAST_COUNT';

/** A scan of an index. */
export type IndexPath = Extract<AccessPath, { kind: 'index' }>;
