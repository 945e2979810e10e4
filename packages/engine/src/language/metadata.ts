import { systemRandom } from '@portolan/foundation/random';
import type { RawDocument } from '../bson/raw.ts';
import { double, string, type Value } from '../bson/value.ts';

/** Metadata of a document in a query. Expressions read it with `$meta`. */
export interface Metadata {
  readonly textScore?: number;
  readonly geoNearDistance?: number;
  readonly geoNearPoint?: Value;
  /** The score that `$score` or a fusion stage assigned. */
  readonly score?: number;
  readonly scoreDetails?: Value;
  /** The key of the index entry by which the document was found. */
  readonly indexKey?: Value;
  /** The id of the record that contains the document. */
  readonly recordId?: Value;
  /** The values by which the last sort has ordered the document, as an array. */
  readonly sortKey?: Value;
  /** Metadata of a text or vector search. */
  readonly search?: SearchMetadata;
}

/** Metadata of a search. Members that are functions are computed on demand. */
interface SearchMetadata {
  readonly searchScore?: number;
  readonly vectorSearchScore?: number;
  highlights?(): Value;
  details?(): Value;
  sequenceToken?(): string;
  /** The `_id` of the document of the collection that contains a returned embedded document. */
  readonly rootId?: Value;
}

export const INDEX_KEY = 'indexKey' as const;
export const RECORD_ID = 'recordId' as const;
export const SORT_KEY = 'sortKey' as const;
/** Metadata that takes time to compute. It is added only to the documents of queries that read it. */
export const onRequest: readonly string[] = [INDEX_KEY, RECORD_ID, SORT_KEY];

const random = systemRandom();

export function addMetadata(doc: RawDocument, metadata: Metadata): void {
  doc.metadata = doc.metadata === undefined ? metadata : { ...doc.metadata, ...metadata };
}

export function metadataOf({ metadata }: RawDocument): Metadata | undefined {
  return metadata;
}

/** Returns the value of `$meta` in expressions and sort specifications. */
export function metadataValue(doc: RawDocument, name: string): Value | undefined {
  if (name === 'randVal') return double(random.fraction());
  const metadata = metadataOf(doc);
  if (name === 'geoNearPoint') return metadata?.geoNearPoint;
  if (name === 'score') {
    const score = scoreOf(doc);
    return score === undefined ? undefined : double(score);
  }
  if (name === 'scoreDetails' && metadata?.scoreDetails !== undefined) return metadata.scoreDetails;
  if (metadata?.search !== undefined && Object.hasOwn(ofSearch, name))
    return ofSearch[name]?.(metadata.search);
  if (name === INDEX_KEY || name === RECORD_ID || name === SORT_KEY) return metadata?.[name];
  const known = name === 'geoNearDistance' || name === 'textScore' ? metadata?.[name] : undefined;
  return known === undefined ? undefined : double(known);
}

/** Returns the score that the last stage with scores assigned. This stage can come after the search. */
export function scoreOf(doc: RawDocument): number | undefined {
  const metadata = metadataOf(doc);
  const { searchScore, vectorSearchScore } = metadata?.search ?? {};
  return metadata?.score ?? searchScore ?? vectorSearchScore;
}

const ofSearch: Readonly<Record<string, (search: SearchMetadata) => Value | undefined>> = {
  searchScore: ({ searchScore }) => (searchScore === undefined ? undefined : double(searchScore)),
  vectorSearchScore: ({ vectorSearchScore }) =>
    vectorSearchScore === undefined ? undefined : double(vectorSearchScore),
  searchHighlights: (search) => search.highlights?.(),
  searchScoreDetails: (search) => search.details?.(),
  scoreDetails: (search) => search.details?.(),
  searchRootDocumentId: ({ rootId }) => rootId,
  searchSequenceToken: (search) => {
    const token = search.sequenceToken?.();
    return token === undefined ? undefined : string(token);
  },
};

/** Copies the metadata of a document to a derived document, unless the derived document has its own. */
export function inheritMetadata(from: RawDocument, to: RawDocument): void {
  to.metadata ??= from.metadata;
}
