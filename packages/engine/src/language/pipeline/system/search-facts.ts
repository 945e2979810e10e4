import type { RawDocument } from '../../../bson/raw.ts';
import type { Value } from '../../../bson/value.ts';

/** What stages hear of the search indexes of the collection of their pipeline. */
export interface SearchFacts {
  /** Documents that were found, noted with what is known of them, and how many there are; undefined without a collection. */
  search(spec: RawDocument, metaOnly: boolean): SearchAnswer | undefined;
  /** Documents with the nearest vectors. */
  vectors(spec: RawDocument): Iterable<RawDocument>;
  /** Throws what is wrong with a stage that is only explained; absent where it is run. */
  readonly checkExplained?: ((name: string, spec: RawDocument) => void) | undefined;
  indexes(wanted: IndexesWanted): Iterable<RawDocument>;
  /** Those of another collection. */
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

/** All of them where neither is given. */
interface IndexesWanted {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
}
