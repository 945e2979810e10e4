import { writeDocument } from '../../bson/document-writer.ts';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { metered, steps } from '../../bson/turns.ts';
import { double, int64, type Value } from '../../bson/value.ts';
import type { SearchIndexRow } from '../../storage/search-index-table.ts';
import type { SearchReader, SearchSnapshot } from '../file/search-reader.ts';
import { embeddedAt } from '../mapping/embedded-documents.ts';
import { compileOperator } from './compile.ts';
import { searchError } from './errors.ts';
import { compileFacets, countFacets } from './facets.ts';
import { type Highlighter, highlighter } from './highlight.ts';
import { Hits } from './hits.ts';
import type { Explanation, Operator } from './operator.ts';
import { readOptions, type SearchOptions } from './options.ts';
import { type Place, type Ranking, ranking, type SegmentHits } from './ranking.ts';
import { type Check, Searching, type Synonyms } from './searching.ts';
import type { Sortable } from './sort.ts';
import { storedShape } from './stored-shape.ts';
import { explainOf } from './terms.ts';
import { findVectors, readVectorRequest } from './vector-stage.ts';

/** The data of a cluster that a search reads. */
export interface SearchSource {
  /** Returns a search index of the collection by name. */
  index(name: string): SearchIndexRow | undefined;
  readonly reader: SearchReader;
  /** Returns the current document of the collection with this key. */
  find(key: Uint8Array): RawDocument | undefined;
  /** Returns the synonyms of the index. */
  synonyms(plan: SearchSnapshot['plan']): Synonyms;
  /** Called in loops. Throws to interrupt the search. */
  readonly check: Check;
}

export interface Found {
  readonly document: RawDocument;
  readonly score: number;
  highlights?(): Value;
  details?(): Value;
  sequenceToken?(): string;
  /** The `_id` of the document of the collection, if embedded documents are returned. */
  readonly rootId?: Value;
}

export interface SearchResults {
  readonly found: Iterable<Found>;
  /** The number of results, and the facets. */
  readonly meta: RawDocument;
}

/** Runs `$search` and `$searchMeta`. `metaOnly` is true if the caller does not need the documents. */
export function runSearch(spec: RawDocument, source: SearchSource, metaOnly: boolean): SearchResults {
  const options = readOptions(spec);
  const index = source.index(options.index);
  const results =
    index &&
    source.reader.read(index, (snapshot) => {
      const search = new Searching(
        snapshot.plan,
        snapshot.segments,
        source.check,
        source.synonyms(snapshot.plan),
      );
      return search.limited(() => evaluate(options, search, source, metaOnly));
    });
  if (results !== undefined) return results;
  // Validate the search even though there is no index.
  const search = new Searching(undefined, [], source.check);
  search.limited(() => {
    if (options.operator !== undefined) compileOperator(options.operator, search, options.scope);
    if (options.facets !== undefined) compileFacets(options.facets, search, options.scope);
  });
  return { found: [], meta: countDocument('total', 0, undefined) };
}

function evaluate(
  options: SearchOptions,
  search: Searching,
  source: SearchSource,
  metaOnly: boolean,
): SearchResults {
  const { plan } = search;
  if (plan?.type === 'vectorSearch')
    throw searchError('the index is of type vectorSearch: use $vectorSearch');
  if (options.scope !== undefined) checkScope(options.scope, search);
  if (options.storedSource && options.scope === undefined && plan?.storedSource === undefined) {
    throw searchError('"returnStoredSource" requires the index to have "storedSource"');
  }
  const operator = options.operator && compileOperator(options.operator, search, options.scope);
  const facets = options.facets && compileFacets(options.facets, search, options.scope);
  const marks = options.highlight && operator && highlighter(options.highlight, operator, search);
  const all = foundBy(operator, options, search);
  const ranked = ranking(all, options.sort);
  const orderOf = ordering(ranked, search);
  const resultsFor = (name: string) => ({
    orderOf,
    found:
      options.operator !== undefined && search.unaffected.has(name)
        ? foundBy(compileOperator(options.operator, search, options.scope, name), options, search)
        : all,
  });
  const meta = countDocument(options.count.type, ranked.count, facets && countFacets(facets, resultsFor));
  if (metaOnly) return { found: [], meta };
  // Load the keys and parents now, because results are read after the transaction has ended. By then, the segment may
  // have been removed from the file.
  for (const { segment, hits } of all) {
    if (!hits.found.includes(1)) continue;
    segment.keys();
    segment.parents();
  }
  const entries = paged(ranked, options);
  return { found: documents(entries, { options, operator, marks, source, search }), meta };
}

/** Returns a function that returns the position of a document among the results. */
function ordering(ranked: Ranking, search: Searching): (place: Place) => number {
  let positions: Int32Array | undefined;
  const made = () => {
    const bases = new Map<Sortable['segment'], number>();
    let size = 0;
    for (const segment of search.segments) {
      bases.set(segment, size);
      size += segment.size;
    }
    search.hold(size * Int32Array.BYTES_PER_ELEMENT);
    const known = new Int32Array(size);
    let at = 0;
    for (const { segment, doc } of ranked.entries()) {
      search.spend(1);
      known[(bases.get(segment) ?? 0) + doc] = at++;
    }
    return known;
  };
  return (place) => {
    positions ??= made();
    return positions[place] ?? 0;
  };
}

function foundBy(operator: Operator | undefined, { scope }: SearchOptions, search: Searching): SegmentHits[] {
  return search.segments.map((segment) => {
    search.check();
    const hits = operator?.hits(segment) ?? everything(segment.size);
    hits.keep(search.domain(segment, scope));
    return { segment, hits };
  });
}

function checkScope(path: string, search: Searching): void {
  const mapping = search.embeddedMapping(path);
  if (mapping === undefined) {
    throw searchError(`"returnScope.path" requires path "${path}" to be indexed as embeddedDocuments`);
  }
  if (mapping.storedSource === undefined) {
    throw searchError(`"returnScope.path" requires path "${path}" to be indexed with "storedSource"`);
  }
}

function everything(size: number): Hits {
  const hits = new Hits(size);
  for (let doc = 0; doc < size; doc++) hits.set(doc, 1);
  return hits;
}

function countDocument(
  type: 'lowerBound' | 'total',
  count: number,
  facet: RawDocument | undefined,
): RawDocument {
  return writeDocument((writer) => {
    const counted = writeDocument((own) => own.field(type, int64(BigInt(count))));
    writer.field('count', counted.toValue());
    if (facet !== undefined) writer.field('facet', facet.toValue());
  });
}

/** Returns the results after a given result, or the results before a given result in reverse order. */
function paged(ranked: Ranking, { after, before }: SearchOptions): Iterable<Sortable> {
  const token = after ?? before;
  if (token === undefined) return ranked.entries();
  const all = [...ranked.entries()];
  const at = all.findIndex((entry) => tokenOf(entry) === token);
  if (at < 0)
    throw searchError(
      `"${after === undefined ? 'searchBefore' : 'searchAfter'}" is not a token of this search`,
    );
  return after === undefined ? all.slice(0, at).reverse() : all.slice(at + 1);
}

/** The number of steps that creating a token adds to the cost of a search. */
const TOKEN = 64;

/** Returns a token that identifies a result by its document and score. */
function tokenOf({ segment, doc, score }: Sortable): string {
  steps(TOKEN);
  const bytes = Buffer.concat([
    Buffer.from(Float32Array.of(score).buffer),
    rootKey(segment, doc),
    Buffer.from(`${doc - rootOf(segment, doc)}`),
  ]);
  return bytes.toString('base64');
}

function rootOf(segment: Sortable['segment'], doc: number): number {
  const parents = segment.parents();
  let at = doc;
  while (parents !== undefined && (parents[at] as number) >= 0) at = parents[at] as number;
  return at;
}

function rootKey(segment: Sortable['segment'], doc: number): Uint8Array {
  return segment.keys()[rootOf(segment, doc)] as Uint8Array;
}

interface Answering {
  readonly options: SearchOptions;
  readonly operator: Operator | undefined;
  readonly marks: Highlighter | undefined;
  readonly source: SearchSource;
  readonly search: Searching;
}

function* documents(entries: Iterable<Sortable>, answering: Answering): Generator<Found> {
  const { options, operator, marks, source, search } = answering;
  const shown = showing(answering);
  // Search nodes have no other checks of steps.
  const checked = <T>(work: () => T): T => metered(search.checkNow, work);
  for (const entry of entries) {
    const { segment, doc, score } = entry;
    const root = source.find(rootKey(segment, doc));
    const document = root && shown(root, doc - rootOf(segment, doc));
    // Skips documents that have been deleted meanwhile.
    if (root === undefined || document === undefined) continue;
    yield {
      document,
      score,
      ...rootIdOf(root, options),
      ...(marks === undefined ? {} : { highlights: () => checked(() => marks(root)) }),
      ...(options.detailed && operator !== undefined
        ? { details: () => checked(() => detailsOf(explainOf(operator, segment, doc), score)) }
        : {}),
      sequenceToken: () => tokenOf(entry),
    };
  }
}

function rootIdOf(root: RawDocument, { scope }: SearchOptions): Pick<Found, 'rootId'> {
  const rootId = scope === undefined ? undefined : root.get('_id');
  return rootId === undefined ? {} : { rootId };
}

/**
 * Returns a function that converts a document of the collection to the document that the search returns. By default,
 * both are the same. With `returnStoredSource`, the function returns only the stored fields. If the search also has a
 * `scope`, it returns those of the embedded document `number`.
 */
function showing({
  options,
  search,
}: Answering): (root: RawDocument, number: number) => RawDocument | undefined {
  const { plan } = search;
  if (plan === undefined || !options.storedSource) return (root) => root;
  if (options.scope === undefined) return storedShape(plan.storedSource);
  const shape = storedShape(search.embeddedMapping(options.scope)?.storedSource, options.scope);
  return (root, number) => {
    const document = embeddedAt(root, plan.mapping, number);
    return document && shape(document);
  };
}

function detailsOf(explanation: Explanation, score: number): Value {
  const encode = ({ value, description, details }: Explanation): Record<string, unknown> => ({
    value: double(value),
    description,
    details: details.map(encode),
  });
  return new RawDocument(encodeDocument(encode({ ...explanation, value: score }))).toValue();
}

/**
 * Runs `$vectorSearch`. Returns whole documents even with `returnStoredSource`. That option is an error unless the
 * index stores fields.
 */
export function runVectorSearch(spec: RawDocument, source: SearchSource): Iterable<Found> {
  const request = readVectorRequest(spec, false);
  const index = source.index(request.index);
  const ranked =
    index &&
    source.reader.read(index, (snapshot) => {
      if (request.storedSource && snapshot.plan.storedSource === undefined) {
        throw searchError('"returnStoredSource" requires the index to have "storedSource"');
      }
      const search = new Searching(snapshot.plan, snapshot.segments, source.check);
      const all = search.limited(() => findVectors(request, search));
      for (const { segment } of all) segment.keys();
      return ranking(all, undefined).entries();
    });
  return ranked === undefined ? [] : vectorDocuments(ranked, source);
}

function* vectorDocuments(entries: Iterable<Sortable>, source: SearchSource): Generator<Found> {
  for (const { segment, doc, score } of entries) {
    const document = source.find(segment.keys()[doc] as Uint8Array);
    if (document !== undefined) yield { document, score };
  }
}
