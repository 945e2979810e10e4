import type { Comparison } from '../../bson/collation/comparison.ts';
import type { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import type { Path, Test } from '../paths.ts';
import type { Bounds } from './bounds.ts';

/** A compiled filter. */
export interface Filter {
  /** The condition as a tree, for planners. */
  readonly root: Condition;
  /**
   * What must hold for keys at a path in every document that matches, one entry for each condition that says
   * so. Each of them holds on its own; where no document has an array on the path they may be intersected.
   */
  readonly bounds: ReadonlyMap<string, readonly Bounds[]>;
  /** Present where documents are wanted in the order of their distances. */
  readonly near?: Ordered | undefined;
  /** Documents get a score while they are matched. */
  readonly scored?: boolean;
  /** How it compares; absent: by bytes. */
  readonly comparison?: Comparison | undefined;
  matches(doc: RawDocument): boolean;
  /** Of a document that matches: the position of the array entry by which it does, what `$` stands for. */
  position(doc: RawDocument): number | undefined;
}

/** One node of a filter. */
export interface Condition {
  /** `$and`, `$eq`, … */
  readonly operator: string;
  /** Conditions below `$and`, `$or`, `$nor` and `$not`. */
  readonly children?: readonly Condition[];
  /** Fields that the filter must say to be equal to something, since the index begins with them. */
  readonly needs?: readonly string[];
  /** Present for conditions about distances. */
  readonly near?: Ordered;
  /** Present where the condition is about the values at one path. */
  readonly leaf?: Leaf;
  matches(doc: RawDocument): boolean;
}

/** An order that comes with a condition. */
export interface Ordered {
  /** Of a document that meets the condition. */
  distance(doc: RawDocument): number | undefined;
  /** Throws where the collection has no index for it. */
  checkIndex(): void;
}

export interface Leaf {
  readonly path: Path;
  /** About one value that the path reaches. */
  readonly test: Test;
  readonly bounds?: Bounds;
  /** The value that the path must equal, where that is all that the condition asks. */
  readonly equals?: Value;
  /** What one entry of an array at the path has to meet: conditions on paths below it, or on the entry itself. */
  readonly inside?: { readonly documents: Condition } | { readonly values: readonly Condition[] };
  /** Which entry of an array at the end of the path meets the condition. */
  readonly entry?: (array: Value) => number | undefined;
}
