import type { RawDocument } from '../../bson/raw.ts';
import type { Filter } from '../filter/filter.ts';

/** A compiled pipeline. */
export interface Pipeline {
  /**
   * The condition of a leading `$match`, which callers use to choose an index. The pipeline still applies the `$match`.
   */
  readonly filter: Filter | undefined;
  /** The sort specification of a leading `$sort`, or of a `$sort` directly after a leading `$match`. */
  readonly sort: RawDocument | undefined;
  /** The document fields that the pipeline reads; absent if it may read any field. */
  readonly fields: ReadonlySet<string> | undefined;
  /** Runs the pipeline on documents. `sorted` is true if `docs` are already in the order of `sort`. */
  run(docs: Iterable<RawDocument>, sorted?: boolean): Iterable<RawDocument>;
}
