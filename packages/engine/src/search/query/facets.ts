import { bsonTypes, isNumberType } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int64, int64Of, string, type Value } from '../../bson/value.ts';
import { compileWithin } from './compile.ts';
import { searchError } from './errors.ts';
import { counting, countRanges, countTerms, type FacetScope } from './facet-counts.ts';
import { readMetrics } from './facet-metrics.ts';
import { bucketList, bucketsOf, type FacetNode, type Grouping, PLACE_BYTES } from './facet-tree.ts';
import { isInside } from './levels.ts';
import type { Place, SegmentHits } from './ranking.ts';
import type { Searching } from './searching.ts';
import { Spec } from './spec.ts';

/** Returns the buckets of a facet. */
type Facet = (results: FacetResults) => RawDocument[];

/** The results that a facet counts. */
export interface FacetResults {
  readonly found: readonly SegmentHits[];
  /** Returns the position of a document among the results. */
  orderOf(place: Place): number;
}

export type Facets = ReadonlyMap<string, Facet>;

const MAX_BUCKETS = 10_000;
/** Maximum number of buckets of all facets of a search together, including the facets in their buckets. */
const MAX_BUCKETS_OF_SEARCH = 100_000;
/** Maximum nesting depth of facets. */
const MAX_NESTED = 50;

interface Compiling {
  readonly search: Searching;
  /** Counts the buckets of a facet. Throws if all facets together have too many. */
  readonly count: (node: FacetNode) => void;
  readonly returnScope: string | undefined;
}

export function compileFacets(spec: Spec, search: Searching, returnScope?: string): Facets {
  const facets = new Map<string, Facet>();
  let buckets = 0;
  const count = (node: FacetNode) => {
    buckets += bucketsIn(node);
    if (buckets > MAX_BUCKETS_OF_SEARCH)
      throw searchError(`"${spec.at}" can have at most ${MAX_BUCKETS_OF_SEARCH} buckets in total`);
  };
  for (const name of spec.names) {
    const facet = Spec.of(spec.required(name), spec.name(name));
    facets.set(name, compileFacet(facet, { search, returnScope, count }));
  }
  if (facets.size === 0) throw searchError('"facet.facets" cannot be empty');
  return facets;
}

function compileFacet(facet: Spec, compiling: Compiling): Facet {
  const { search, returnScope } = compiling;
  const path = facet.requiredString('path');
  const scope = scopeOf(facet, path, search, returnScope);
  return search.at(scope?.path ?? returnScope, () => {
    const node = nodeOf(facet, compiling, 0);
    compiling.count(node);
    if (node.nested.size === 0 && node.metrics === undefined)
      return countingFacet(facet, node, scope, search);
    checkTree(facet, node, compiling, scope);
    return ({ found, orderOf }) => {
      // Cache the places of all results, because several facets may need them.
      const places = search.onceFor(found, 'places', () => placesIn(found, search));
      return bucketsOf(node, places, { search, orderOf });
    };
  });
}

/** Throws if metrics or nested facets are combined with options that change what is counted. */
function checkTree(
  facet: Spec,
  node: FacetNode,
  { search, returnScope }: Compiling,
  scope: FacetScope | undefined,
): void {
  if (scope !== undefined) {
    throw searchError(
      `"${facet.name('embeddedDocument')}" cannot be combined with "aggregations" or "facets"`,
    );
  }
  if (!hasMetrics(node)) return;
  if (returnScope !== undefined) throw searchError('"aggregations" cannot be combined with "returnScope"');
  if (search.unaffected.size > 0) throw searchError('"aggregations" cannot be combined with "doesNotAffect"');
}

function hasMetrics({ nested, metrics }: FacetNode): boolean {
  return metrics !== undefined || [...nested.values()].some(hasMetrics);
}

function bucketsIn({ grouping, nested }: FacetNode): number {
  const own =
    'most' in grouping
      ? grouping.most
      : grouping.numbers.length - 1 + (grouping.otherwise === undefined ? 0 : 1);
  return (
    own *
    Math.max(
      1,
      [...nested.values()].reduce((sum, node) => sum + bucketsIn(node), 0),
    )
  );
}

function placesIn(found: readonly SegmentHits[], search: Searching): Place[] {
  const places: Place[] = [];
  let base = 0;
  for (const { segment, hits } of found) {
    search.spend(segment.size);
    const before = places.length;
    for (let doc = 0; doc < segment.size; doc++) if (hits.found[doc] === 1) places.push(base + doc);
    search.hold((places.length - before) * PLACE_BYTES);
    base += segment.size;
  }
  return places;
}

/** Reads a facet with the facets in its buckets. */
function nodeOf(facet: Spec, compiling: Compiling, depth: number): FacetNode {
  if (depth > MAX_NESTED) throw searchError('facets are nested too deeply');
  const { search } = compiling;
  facet.required('type');
  const type = facet.oneOf('type', ['string', 'number', 'date']) ?? 'string';
  const path = facet.requiredString('path');
  const grouping = type === 'string' ? termsOf(facet, path, search) : rangesOf(facet, path, type);
  const metrics = readMetrics(facet, search);
  const inner = facet.document('facets');
  if (depth > 0 && facet.value('embeddedDocument') !== undefined) {
    throw searchError(`"${facet.name('embeddedDocument')}" cannot be in a nested facet`);
  }
  facet.raw('embeddedDocument');
  facet.finish();
  if (inner === undefined) return { grouping, metrics, nested: new Map() };
  if (metrics !== undefined) throw searchError(`"${facet.at}" cannot have both "aggregations" and "facets"`);
  const nested = new Map(
    inner.names.map((name) => [
      name,
      nodeOf(Spec.of(inner.required(name), inner.name(name)), compiling, depth + 1),
    ]),
  );
  if (nested.size === 0) throw searchError(`"${inner.at}" cannot be empty`);
  return { grouping, metrics, nested };
}

function scopeOf(
  facet: Spec,
  path: string,
  search: Searching,
  returnScope: string | undefined,
): FacetScope | undefined {
  const spec = facet.document('embeddedDocument');
  if (spec === undefined) return undefined;
  const own = spec.requiredString('path');
  const operator = compileWithin(spec.requiredDocument('operator'), search, own);
  spec.finish();
  if (!isInside(path, own)) throw searchError(`"${facet.name('path')}" must be within "${own}"`);
  if (search.plan !== undefined && !search.isEmbedded(own)) {
    throw searchError(`"${spec.at}" requires path "${own}" to be indexed as embeddedDocuments`);
  }
  if (returnScope !== undefined) throw searchError(`"${spec.at}" cannot be combined with "returnScope"`);
  if (search.unaffected.size > 0) throw searchError(`"${spec.at}" cannot be combined with "doesNotAffect"`);
  return { path: own, operator };
}

/**
 * Counts the facets, and encodes the counts as in `$searchMeta`. `results` returns the documents that a facet counts.
 */
export function countFacets(facets: Facets, results: (name: string) => FacetResults): RawDocument {
  return writeDocument((writer) => {
    for (const [name, facet] of facets) writer.field(name, bucketList(facet(results(name))).toValue());
  });
}

function termsOf(facet: Spec, path: string, search: Searching): Grouping {
  const most = facet.int('numBuckets', { min: 1, max: MAX_BUCKETS }) ?? 10;
  if (search.plan !== undefined && search.mapping(path, 'token') === undefined) {
    throw searchError(`"${facet.at}" requires path "${path}" to be indexed as token`);
  }
  return { path, most };
}

function rangesOf(facet: Spec, path: string, type: 'number' | 'date'): Grouping {
  const boundaries = boundariesOf(facet, type);
  const otherwise = facet.string('default');
  if (otherwise === '') throw searchError(`"${facet.name('default')}" cannot be empty`);
  return { path, boundaries, numbers: boundaries.map(numberOf), otherwise };
}

/** Counts documents by bucket, without other metrics. */
function countingFacet(
  facet: Spec,
  { grouping }: FacetNode,
  scope: FacetScope | undefined,
  search: Searching,
): Facet {
  const { path } = grouping;
  const encode = (id: Value, count: number) => {
    search.spend(1);
    const made = writeDocument((bucket) => {
      bucket.field('_id', id);
      bucket.field('count', int64(BigInt(count)));
    });
    search.hold(made.length);
    return made;
  };
  if ('most' in grouping) {
    const apart = search.facetMapping(path, 'token')?.facet?.apart === true;
    return ({ found }) => {
      const count = () => countTerms(path, apart, counting(found, scope, search), search);
      // Cache the counts of all results, because several facets may need them.
      const counts = scope === undefined ? search.onceFor(found, `values ${path}`, count) : count();
      return counts.slice(0, grouping.most).map(([term, number]) => encode(string(term), number));
    };
  }
  const { boundaries, numbers, otherwise } = grouping;
  const type = facet.string('type') === 'date' ? 'date' : 'number';
  const ignoresLists = search.facetMapping(path, type)?.facet !== undefined;
  return ({ found }) => {
    const ranges = { path, type, numbers, ignoresLists } as const;
    const { counts, outside } = countRanges(ranges, counting(found, scope, search), search);
    const buckets = counts.map((count, bucket) => encode(boundaries[bucket] as Value, count));
    return otherwise === undefined ? buckets : [...buckets, encode(string(otherwise), outside)];
  };
}

function boundariesOf(facet: Spec, type: 'number' | 'date'): Value[] {
  const value = facet.required('boundaries');
  const name = facet.name('boundaries');
  if (value.type !== bsonTypes.array) throw searchError(`"${name}" must be an array`);
  const all = [...documentOf(value)];
  if (all.length < 2 || all.length > MAX_BUCKETS) {
    throw searchError(`"${name}" must have from 2 to ${MAX_BUCKETS} elements`);
  }
  for (const [at, one] of all.entries()) {
    const fits =
      type === 'date'
        ? one.type === bsonTypes.date
        : isNumberType(one.type) && one.type !== bsonTypes.decimal;
    if (!fits) throw searchError(`"${name}[${at}]" must be a ${type}`);
    const before = all[at - 1];
    if (before !== undefined && !(numberOf(before) < numberOf(one))) {
      throw searchError(`"${name}" must be in ascending order, without duplicates`);
    }
  }
  return all.map((one) => one.detached());
}

function numberOf(value: Value): number {
  return value.type === bsonTypes.date ? Number(int64Of(value)) : toNumber(value);
}
