import { systemRandom } from '@portolan/foundation/random';
import type { RawDocument } from '../bson/raw.ts';
import { double, string, type Value } from '../bson/value.ts';

/** What a query found out about a document besides its fields; expressions read it by `$meta`. */
export interface Metadata {
  readonly textScore?: number;
  readonly geoNearDistance?: number;
  readonly geoNearPoint?: Value;
  /** That several pipelines together, or a stage, gave. */
  readonly score?: number;
  readonly scoreDetails?: Value;
  /** By which the document was found. */
  readonly indexKey?: Value;
  /** What a search of words or vectors tells. */
  readonly search?: SearchMetadata;
}

/** Found out when it is asked for. */
interface SearchMetadata {
  readonly searchScore?: number;
  readonly vectorSearchScore?: number;
  highlights?(): Value;
  details?(): Value;
  sequenceToken?(): string;
}

export const INDEX_KEY = 'indexKey';

const random = systemRandom();

const noted = new WeakMap<RawDocument, Metadata>();
let used = false;

export function note(doc: RawDocument, metadata: Metadata): void {
  used = true;
  const before = noted.get(doc);
  noted.set(doc, before === undefined ? metadata : { ...before, ...metadata });
}

export function metadataOf(doc: RawDocument): Metadata | undefined {
  return used ? noted.get(doc) : undefined;
}

/** What `$meta` and orders by it read. */
export function metadataValue(doc: RawDocument, name: string): Value | undefined {
  if (name === 'randVal') return double(random.fraction());
  const metadata = metadataOf(doc);
  if (name === 'geoNearPoint') return metadata?.geoNearPoint;
  if (metadata?.search !== undefined && Object.hasOwn(ofSearch, name))
    return ofSearch[name]?.(metadata.search);
  if (name === 'scoreDetails') return metadata?.scoreDetails;
  if (name === INDEX_KEY) return metadata?.indexKey;
  const known = numberOf(name, metadata);
  return known === undefined ? undefined : double(known);
}

const ofSearch: Readonly<Record<string, (search: SearchMetadata) => Value | undefined>> = {
  searchScore: ({ searchScore }) => (searchScore === undefined ? undefined : double(searchScore)),
  vectorSearchScore: ({ vectorSearchScore }) =>
    vectorSearchScore === undefined ? undefined : double(vectorSearchScore),
  score: ({ searchScore, vectorSearchScore }) => double(searchScore ?? vectorSearchScore ?? 0),
  searchHighlights: (search) => search.highlights?.(),
  searchScoreDetails: (search) => search.details?.(),
  scoreDetails: (search) => search.details?.(),
  searchSequenceToken: (search) => {
    const token = search.sequenceToken?.();
    return token === undefined ? undefined : string(token);
  },
};

function numberOf(name: string, metadata: Metadata | undefined): number | undefined {
  if (name === 'score') return metadata?.score;
  return name === 'geoNearDistance' ? metadata?.geoNearDistance : metadata?.textScore;
}

/** Of a document that was made from another, where it has none of its own. */
export function inherit(from: RawDocument, to: RawDocument): void {
  if (!used || from === to || noted.has(to)) return;
  const metadata = noted.get(from);
  if (metadata !== undefined) noted.set(to, metadata);
}
