import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Path, Test } from '../paths.ts';
import type { Bounds } from './bounds.ts';

/** A compiled filter. */
export interface Filter {
  /** The condition tree, for query planners. */
  readonly root: Condition;
  /**
   * Bounds on the keys at each path that all matching documents meet, one entry per condition. Each applies
   * on its own; they may be intersected if no document has an array on the path.
   */
  readonly bounds: ReadonlyMap<string, readonly Bounds[]>;
  /** Present if documents are sorted by distance. */
  readonly near?: Ordered | undefined;
  /** Matching assigns text scores to documents. */
  readonly scored?: boolean;
  /** Absent: strings compare by bytes. */
  readonly comparison?: Comparison | undefined;
  matches(doc: RawDocument): boolean;
  /** The position of the matching array entry in a matching document, which `$` denotes. */
  position(doc: RawDocument): number | undefined;
}

/** One node of a filter. */
export interface Condition {
  /** `$and`, `$eq`, … */
  readonly operator: string;
  /** Conditions below `$and`, `$or`, `$nor` and `$not`. */
  readonly children?: readonly Condition[];
  /** Index prefix fields on which the filter must have equality conditions. */
  readonly needs?: readonly string[];
  /** Present for near conditions. */
  readonly near?: Ordered;
  /** Present if the condition concerns the values at one path. */
  readonly leaf?: Leaf;
  matches(doc: RawDocument): boolean;
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
  /** The operand, if the whole condition is equality with it. */
  readonly equals?: Value;
  /** The conditions on a single entry of an array at the path: on paths below it, or on the entry itself. */
  readonly inside?: { readonly documents: Condition } | { readonly values: readonly Condition[] };
  /** The position of the matching entry of an array at the end of the path. */
  readonly entry?: (array: Value) => number | undefined;
}
