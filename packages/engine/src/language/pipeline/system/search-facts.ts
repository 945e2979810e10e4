import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';

/** The search indexes of the pipeline's collection. */
export interface SearchFacts {
  /**
   * Returns the matching documents with their metadata, and the number of matches; undefined if the collection does not
   * exist.
   */
  search(spec: RawDocument, metaOnly: boolean): SearchAnswer | undefined;
  /** Returns the documents with the nearest vectors. */
  vectors(spec: RawDocument): Iterable<RawDocument>;
  /** Throws if the stage is invalid. Present only if the pipeline is explained rather than run. */
  readonly checkExplained?: ((name: string, spec: RawDocument) => void) | undefined;
  indexes(wanted: IndexesWanted): Iterable<RawDocument>;
  /** Returns the search indexes of another collection. */
  of(namespace: Namespace): SearchFacts;
}

interface Namespace {
  readonly database?: string | undefined;
  readonly collection: string;
}

interface SearchAnswer {
  readonly documents: Iterable<RawDocument>;
  readonly meta: Value;
}

/** Selects all indexes if neither field is set. */
interface IndexesWanted {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}
