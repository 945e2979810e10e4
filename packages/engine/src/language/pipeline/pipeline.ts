import type { RawDocument } from '../../bson/raw.ts';
import type { Filter } from '../filter/filter.ts';

/** A compiled pipeline. */
export interface Pipeline {
  /** The condition of a `$match` at the beginning: where to look for documents. The stages still ask it. */
  readonly filter: Filter | undefined;
  /** The order of a `$sort` at the beginning, or right behind that `$match`. */
  readonly sort: RawDocument | undefined;
  /** The only fields of documents that it looks at; absent: it may be any. */
  readonly fields: ReadonlySet<string> | undefined;
  /** `sorted`: the documents come in that order already. */
  run(docs: Iterable<RawDocument>, sorted?: boolean): Iterable<RawDocument>;
}
