import { bsonTypes, isNumberType } from '../../bson/bson-types.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { passes, step } from '../../bson/turns.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Vector } from '../mapping/vectors.ts';
import { searchError } from './errors.ts';
import { Hits } from './hits.ts';
import { type Allowed, compileMql } from './mql-filter.ts';
import { checkVector, nearest } from './nearest.ts';
import { checkCandidates, readVector } from './operators/vector.ts';
import { readNodePreference } from './options.ts';
import type { SegmentHits } from './ranking.ts';
import type { Searching } from './searching.ts';
import { intOf, Spec } from './spec.ts';

/** The options of `$vectorSearch`. Unknown fields are ignored. */
export interface VectorRequest {
  readonly index: string;
  readonly path: string;
  readonly vector: Vector;
  readonly limit: number;
  readonly filter: RawDocument | undefined;
  readonly parentFilter: RawDocument | undefined;
  readonly storedSource: boolean;
  /** How the scores of embedded documents are combined into the score of the enclosing document. */
  readonly scoreMode: 'max' | 'avg';
}

/** Maximum `limit` of an exact search: the maximum length of an array in Lucene. */
const MAX_EXACT = 2_147_483_630;

/** Reads the options. `explained` is true for `explain`, where the stage may name documents to trace. */
export function readVectorRequest(doc: RawDocument, explained: boolean): VectorRequest {
  const spec = new Spec(doc, '');
  const filter = checkFilter(spec);
  const limit = limitOf(spec);
  const index = spec.requiredString('index');
  if (index === '') throw searchError('"index" cannot be empty');
  const path = spec.requiredString('path');
  for (const field of ['model', 'query']) {
    if (spec.value(field) !== undefined) throw searchError(`"${field}" cannot be set with "queryVector"`);
  }
  const vector = readVector(spec.required('queryVector'), 'queryVector');
  const exact = spec.bool('exact') ?? false;
  checkCandidates(spec, exact, limit);
  if (exact && limit > MAX_EXACT) throw searchError(`"limit" must be at most ${MAX_EXACT}`);
  const parentFilter = spec.document('parentFilter')?.doc;
  const nested = spec.document('nestedOptions');
  const scoreMode = nested?.oneOf('scoreMode', ['max', 'avg']) ?? 'max';
  checkExplained(spec, explained);
  readNodePreference(spec);
  const storedSource = spec.bool('returnStoredSource') ?? false;
  return { index, path, vector, limit, filter, parentFilter, storedSource, scoreMode };
}

/** Reads the filter. In MongoDB, `mongod` checks most of its types, with another error code than the search process. */
function checkFilter(spec: Spec): RawDocument | undefined {
  const filter = spec.raw('filter');
  if (filter === undefined) return undefined;
  if (filter.type === bsonTypes.object) return documentOf(filter);
  if (filter.type === bsonTypes.array) throw searchError('"filter" must be a document');
  throw new ServerError(10065, 'invalid parameter: expected an object (filter)');
}

/** Reads the limit. In MongoDB, not the search process but `mongod` checks it, with error codes of its own. */
function limitOf(spec: Spec): number {
  const limit = spec.raw('limit');
  if (limit === undefined) throw searchError('"limit" is required');
  if (!isNumberType(limit.type)) throw new ServerError(8575100, 'Expected limit to be a number');
  const number = toNumber(limit);
  if (!(Math.trunc(number) > 0)) throw new ServerError(7912700, 'limit must be positive');
  return intOf(limit, 'limit');
}

function checkExplained(spec: Spec, explained: boolean): void {
  const options = spec.document('explainOptions');
  if (options === undefined) return;
  const ids = options.required('traceDocumentIds');
  options.finish();
  if (ids.type !== bsonTypes.array) throw searchError('"explainOptions.traceDocumentIds" must be an array');
  const all = [...documentOf(ids)];
  if (all.length === 0) throw searchError('"explainOptions.traceDocumentIds" cannot be empty');
  if (!explained) throw searchError('"explainOptions" requires the query to be explained');
  if (all.some(({ type }) => type === bsonTypes.null)) {
    throw searchError('"explainOptions.traceDocumentIds" cannot contain null');
  }
}

/** Finds the nearest vectors. Throws if the path is not indexed as a vector. */
export function findVectors(request: VectorRequest, search: Searching): SegmentHits[] {
  const { path, vector, limit } = request;
  const { mappings, embedded } = search.fieldAnywhere(path);
  const mapping = mappings.find(({ type }) => type === 'vector')?.vector;
  if (mapping === undefined) throw searchError(`Path '${path}' needs to be indexed as vector`);
  checkVector(vector, mapping, 'queryVector');
  const allowed = allowedBy(request, embedded, search);
  const most = embedded === undefined ? limit : Number.POSITIVE_INFINITY;
  const found = nearest(search.segments, { path, vector, mapping, limit: most }, allowed, search.check);
  const all = search.segments.map((segment) => ({
    segment,
    hits: found.get(segment) ?? new Hits(segment.size),
  }));
  return embedded === undefined ? all : toEnclosing(all, request, search);
}

function allowedBy(
  { filter, parentFilter }: VectorRequest,
  embedded: string | undefined,
  search: Searching,
): Allowed {
  const own = filter === undefined ? undefined : compileMql(filter, search, embedded, 'filter');
  const around =
    parentFilter === undefined ? undefined : compileMql(parentFilter, search, undefined, 'parentFilter');
  return (segment) => {
    const allowed = own?.(segment) ?? search.domain(segment, embedded);
    const outer = around?.(segment);
    if (outer === undefined) return allowed;
    const parents = embedded === undefined ? undefined : segment.parents();
    passes(allowed.length);
    return allowed.map((is, doc) => is & (outer[rootOf(doc, parents)] as number));
  };
}

function rootOf(doc: number, parents: Int32Array | undefined): number {
  let at = doc;
  while (parents !== undefined && (parents[at] as number) >= 0) at = parents[at] as number;
  return at;
}

/**
 * Replaces embedded documents by the documents of the collection that contain them. Keeps those with the
 * highest scores.
 */
function toEnclosing(
  all: readonly SegmentHits[],
  { scoreMode, limit }: VectorRequest,
  search: Searching,
): SegmentHits[] {
  const best: Array<{ hits: Hits; doc: number; score: number }> = [];
  const joined = all.map(({ segment, hits: inner }) => {
    const hits = new Hits(segment.size);
    const counts = new Uint32Array(segment.size);
    const parents = segment.parents();
    passes(segment.size);
    inner.found.forEach((is, doc) => {
      if (is === 0) return;
      const root = rootOf(doc, parents);
      const score = inner.scores[doc] as number;
      counts[root] = (counts[root] as number) + 1;
      hits.set(
        root,
        scoreMode === 'avg'
          ? (hits.scores[root] as number) + score
          : Math.max(score, hits.scores[root] as number),
      );
    });
    if (scoreMode === 'avg') hits.rescore((score, doc) => score / (counts[doc] as number));
    hits.keep(search.domain(segment, undefined));
    for (let doc = 0; doc < segment.size; doc++) {
      if (hits.found[doc] === 1) best.push({ hits, doc, score: hits.scores[doc] as number });
    }
    return { segment, hits };
  });
  best.sort((a, b) => {
    step();
    return b.score - a.score;
  });
  for (const { hits, doc } of best.slice(limit)) hits.found[doc] = 0;
  return joined;
}
