import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Path, Test } from '../paths.ts';
import type { Bounds } from './bounds.ts';
import type { CollatedBounds } from './collated-bounds.ts';
import type { TypeSet } from './type-set.ts';

/** A compiled filter. */
export interface Filter {
  /** The condition tree, for query planners. */
  readonly root: Condition;
  /**
   * The bounds on the keys at each path, one per condition. The keys of all matching documents are within these
   * bounds. Bounds of the same path may be intersected only if no document has an array on the path.
   */
  readonly bounds: ReadonlyMap<string, readonly Bounds[]>;
  /** The order by distance; absent if the filter has no near condition. */
  readonly near?: Ordered | undefined;
  /** True if matching assigns text scores to documents. */
  readonly scored?: boolean;
  /** How strings are compared. If absent, they are compared by bytes. */
  readonly comparison?: Comparison | undefined;
  matches(doc: RawDocument): boolean;
  /** Returns the index of the array entry by which a document matched. `$` denotes this index. */
  position(doc: RawDocument): number | undefined;
}

/** One node of a filter. */
export interface Condition {
  /** The name of the operator, such as `$and` or `$eq`. */
  readonly operator: string;
  /** Conditions below `$and`, `$or`, `$nor` and `$not`. */
  readonly children?: readonly Condition[];
  /**
   * The fields that precede the text fields in a text index. The filter must compare these fields by
   * equality.
   */
  readonly needs?: readonly string[];
  /** The order by distance; present for near conditions. */
  readonly near?: Ordered;
  /** For a condition that is an expression: the bounds on fields that follow from the expression. */
  readonly implied?: readonly ImpliedBounds[];
  /** The test of the values at one path; absent for conditions of other kinds. */
  readonly leaf?: Leaf;
  matches(doc: RawDocument): boolean;
}

/** The bounds of a field in all documents for which an expression is true. */
export interface ImpliedBounds {
  readonly path: string;
  readonly bounds?: Bounds;
  readonly collated?: CollatedBounds;
  /** True if the bounds do not cover the elements of arrays, because an expression compares an array as a whole. */
  readonly scalar: boolean;
  /** True if the comparison can hold although the field is missing, which is less than all constants. */
  readonly mayBeMissing: boolean;
}

/** A sort order by distance. */
export interface Ordered {
  /** The distance of a matching document. */
  distance(doc: RawDocument): number | undefined;
  /** Throws if the collection has no suitable index. */
  checkIndex(): void;
}

export interface Leaf {
  readonly path: Path;
  /** Tests one value at the path. */
  readonly test: Test;
  readonly bounds?: Bounds;
  /** Returns the bounds in an index with the filter's collation, if the collation affects the condition. */
  readonly collated?: CollatedBounds;
  /** The operand, if the condition is nothing but an equality. */
  readonly equals?: Value;
  /** The types that the condition accepts, if it is `$type`. */
  readonly types?: TypeSet;
  /** True if no value passes the test. */
  readonly never?: boolean;
  /** The conditions on a single array entry. They apply either to paths below the entry or to the entry itself. */
  readonly inside?: { readonly documents: Condition } | { readonly values: readonly Condition[] };
  /** For an array at the end of the path, returns the index of the matching entry. */
  readonly entry?: (array: Value) => number | undefined;
}
