import type { Filter } from '../filter/filter.ts';
import type { RawDocument } from '../raw.ts';
import type { Element, Value } from '../value.ts';

/** Takes documents in and gives documents out, one at a time where it can. */
export type Stage = (docs: Iterable<RawDocument>) => Iterable<RawDocument>;

/**
 * Checks the specification of one stage; throws what the server answers to a wrong one. `next` is the stage
 * after it, for those that can do less when they know what is asked of them.
 */
export type CompileStage = (spec: Value, next?: Element) => Stage;

export type StageTable = Readonly<Record<string, CompileStage>>;

/** A compiled pipeline. */
export interface Pipeline {
  /** The condition of a `$match` at the beginning: where to look for documents. The stages still ask it. */
  readonly filter: Filter | undefined;
  run(docs: Iterable<RawDocument>): Iterable<RawDocument>;
}
