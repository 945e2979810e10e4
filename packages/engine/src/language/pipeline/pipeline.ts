import type { RawDocument } from '../../bson/raw.ts';
import type { Filter } from '../filter/filter.ts';

/** A compiled pipeline. */
export interface Pipeline {
  /** The condition of a leading `$match`, for choosing an access path. The stages still apply it. */
  readonly filter: Filter | undefined;
  /** The order of a leading `$sort`, or of one directly after that `$match`. */
  readonly sort: RawDocument | undefined;
  /** The only document fields that the pipeline reads; any if absent. */
  readonly fields: ReadonlySet<string> | undefined;
  /** `sorted`: the documents already have that order. */
  run(docs: Iterable<RawDocument>, sorted?: boolean): Iterable<RawDocument>;
}
