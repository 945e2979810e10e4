import type { Path, Test } from '../paths.ts';
import type { RawDocument } from '../raw.ts';
import type { Value } from '../value.ts';
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
  /** Present where the condition is about the values at one path. */
  readonly leaf?: Leaf;
  matches(doc: RawDocument): boolean;
}

export interface Leaf {
  readonly path: Path;
  /** About one value that the path reaches. */
  readonly test: Test;
  readonly bounds?: Bounds;
  /** The value that the path must equal, where that is all that the condition asks. */
  readonly equals?: Value;
  /** Which entry of an array at the end of the path meets the condition. */
  readonly entry?: (array: Value) => number | undefined;
}
