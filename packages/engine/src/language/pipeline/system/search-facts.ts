import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';

/** The search indexes of the pipeline's collection. */
export interface SearchFacts {
  /** The matching documents with metadata, and their number; undefined without a collection. */
  search(spec: RawDocument, metaOnly: boolean): SearchAnswer | undefined;
  /** The documents with the nearest vectors. */
  vectors(spec: RawDocument): Iterable<RawDocument>;
  /** Throws for an invalid stage that is only explained; absent if it runs. */
  readonly checkExplained?: ((name: string, spec: RawDocument) => void) | undefined;
  indexes(wanted: IndexesWanted): Iterable<RawDocument>;
  /** The search indexes of another collection. */
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

/** All indexes if neither is given. */
interface IndexesWanted {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}
