import { firstIndex } from '@portolan/foundation/first-index';
import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int64, string, type Value } from '../../bson/value.ts';
import type { Metric } from './facet-metrics.ts';
import { datesIn, numbersIn, stringsIn, valuesAt } from './facet-values.ts';
import type { Place } from './ranking.ts';
import type { Searching } from './searching.ts';

/** A facet whose buckets contain other facets or metrics. */
export interface FacetNode {
  readonly grouping: Grouping;
  readonly nested: ReadonlyMap<string, FacetNode>;
  /** The metrics of each bucket; undefined if only the documents are counted. */
  readonly metrics: readonly Metric[] | undefined;
}

/** The groups of a facet: one for each of the most frequent strings, or one for each range of numbers or dates. */
export type Grouping =
  | { readonly path: string; readonly most: number }
  | {
      readonly path: string;
      readonly boundaries: readonly Value[];
      readonly numbers: readonly number[];
      readonly otherwise: string | undefined;
    };

interface Group {
  readonly id: Value;
  readonly places: Place[];
}

export interface Evaluating {
  readonly search: Searching;
  /** Returns the position of a document among the results. */
  orderOf(place: Place): number;
}

/** The size of a place in the list of a group, in bytes. */
export const PLACE_BYTES = 8;

/** Returns the buckets of a facet for some of the results. */
export function bucketsOf(
  { grouping, nested, metrics }: FacetNode,
  places: readonly Place[],
  evaluating: Evaluating,
): RawDocument[] {
  const { search, orderOf } = evaluating;
  const groups = 'most' in grouping ? byTerm(grouping, places, search) : byRange(grouping, places, search);
  const buckets = groups.map(({ id, places: own }) => {
    search.spend(1);
    const made = writeDocument((bucket) => {
      bucket.field('_id', id);
      if (metrics === undefined && nested.size === 0) bucket.field('count', int64(BigInt(own.length)));
      for (const metric of metrics ?? []) bucket.field(metric.name, metric.of(own, orderOf));
      for (const [name, node] of nested) {
        const inner = bucketsOf(node, own, evaluating);
        bucket.field(name, bucketList(inner).toValue());
        search.release(bytesOf(inner));
      }
    });
    search.hold(made.length);
    return made;
  });
  search.release(groups.reduce((sum, { places: own }) => sum + own.length, 0) * PLACE_BYTES);
  return buckets;
}

function bytesOf(buckets: readonly RawDocument[]): number {
  return buckets.reduce((sum, { length }) => sum + length, 0);
}

/** Creates a document whose field `buckets` contains the buckets of a facet. */
export function bucketList(buckets: readonly RawDocument[]): RawDocument {
  const list = writeDocument((entries) => {
    buckets.forEach((bucket, at) => {
      entries.field(String(at), bucket.toValue());
    });
  });
  return writeDocument((own) => own.field('buckets', list.toValue(bsonTypes.array)));
}

function byTerm(
  { path, most }: Extract<Grouping, { most: number }>,
  places: readonly Place[],
  search: Searching,
): Group[] {
  const groups = new Map<string, Place[]>();
  const valuesIn = valuesAt(path, search);
  for (const place of places) {
    for (const term of stringsIn(valuesIn(place))) {
      search.spend(1);
      search.hold(PLACE_BYTES);
      const own = groups.get(term);
      if (own === undefined) groups.set(term, [place]);
      else own.push(place);
    }
  }
  const sorted = [...groups].sort(([a, x], [b, y]) => {
    search.spend(1);
    return y.length - x.length || (a < b ? -1 : 1);
  });
  for (const [, own] of sorted.slice(most)) search.release(own.length * PLACE_BYTES);
  return sorted.slice(0, most).map(([term, own]) => ({ id: string(term), places: own }));
}

function byRange(
  { path, boundaries, numbers, otherwise }: Exclude<Grouping, { most: number }>,
  places: readonly Place[],
  search: Searching,
): Group[] {
  const groups: Group[] = numbers.slice(1).map((_, at) => ({ id: boundaries[at] as Value, places: [] }));
  const outside: Place[] = [];
  const isDate = boundaries[0]?.type === bsonTypes.date;
  search.spend(groups.length);
  const valuesIn = valuesAt(path, search);
  for (const place of places) {
    const values = valuesIn(place);
    const own = isDate ? datesIn(values) : numbersIn(values);
    const found = new Set(own.map((number) => bucketOf(number, numbers)).filter((at) => at >= 0));
    search.spend(1 + own.length);
    for (const at of found) groups[at]?.places.push(place);
    if (found.size === 0 && otherwise !== undefined) outside.push(place);
    search.hold(Math.max(found.size, otherwise === undefined ? 0 : 1) * PLACE_BYTES);
  }
  return otherwise === undefined ? groups : [...groups, { id: string(otherwise), places: outside }];
}

/** Returns the bucket that contains a number, or -1. */
function bucketOf(number: number, boundaries: readonly number[]): number {
  const next = firstIndex(boundaries, (boundary) => boundary > number);
  return next === boundaries.length ? -1 : next - 1;
}
