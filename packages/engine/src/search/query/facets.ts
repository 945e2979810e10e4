import { bsonTypes, isNumberType } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int64, int64Of, string, type Value } from '../../bson/value.ts';
import { keys } from '../mapping/field.ts';
import { searchError } from './errors.ts';
import { lowerBound } from './operators/values.ts';
import type { SegmentHits } from './ranking.ts';
import type { Searching } from './searching.ts';
import { Spec } from './spec.ts';

interface Bucket {
  readonly id: Value;
  readonly count: number;
}

/** Counts matching documents by the values of a field. */
type Facet = (found: readonly SegmentHits[]) => Bucket[];

export type Facets = ReadonlyMap<string, Facet>;

const MAX_BUCKETS = 1000;
/** The number of steps that each read from the file adds to the cost of a search. */
const READ = 50;

export function compileFacets(spec: Spec, search: Searching): Facets {
  const facets = new Map<string, Facet>();
  for (const name of spec.names) {
    const facet = Spec.of(spec.required(name), spec.name(name));
    facet.required('type');
    const type = facet.oneOf('type', ['string', 'number', 'date']) ?? 'string';
    const path = facet.requiredString('path');
    facets.set(
      name,
      type === 'string' ? stringFacet(facet, path, search) : rangeFacet(facet, path, type, search),
    );
    facet.finish();
  }
  if (facets.size === 0) throw searchError('"facet.facets" cannot be empty');
  return facets;
}

/** Counts the facets and encodes them in the format of `$searchMeta`. */
export function countFacets(facets: Facets, found: readonly SegmentHits[]): RawDocument {
  return writeDocument((writer) => {
    for (const [name, facet] of facets) {
      const buckets = facet(found).map(({ id, count }) =>
        writeDocument((bucket) => {
          bucket.field('_id', id);
          bucket.field('count', int64(BigInt(count)));
        }),
      );
      const list = writeDocument((entries) => {
        buckets.forEach((bucket, at) => {
          entries.field(String(at), bucket.toValue());
        });
      });
      writer.field(
        name,
        writeDocument((own) => own.field('buckets', list.toValue(bsonTypes.array))).toValue(),
      );
    }
  });
}

function stringFacet(facet: Spec, path: string, search: Searching): Facet {
  const most = facet.int('numBuckets', { min: 1, max: MAX_BUCKETS }) ?? 10;
  if (search.plan !== undefined && search.mapping(path, 'token') === undefined) {
    throw searchError(`"${facet.at}" requires path "${path}" to be indexed as token`);
  }
  return (found) =>
    search
      .once(`values ${path}`, () => valuesOf(path, found, search))
      .slice(0, most)
      .map(([term, count]) => ({ id: string(term), count }));
}

/**
 * Returns the values at a path with their number of documents, the most frequent first. The caller caches the result,
 * because several facets may need it.
 */
function valuesOf(
  path: string,
  found: readonly SegmentHits[],
  search: Searching,
): ReadonlyArray<readonly [string, number]> {
  const counts = new Map<string, number>();
  for (const { segment, hits } of found) {
    for (const [term, { docs }] of segment.allPostings(keys.token(path))) {
      search.spend(READ + docs.length);
      let count = 0;
      for (const doc of docs) count += hits.found[doc] as number;
      if (count > 0) counts.set(term, (counts.get(term) ?? 0) + count);
    }
  }
  return [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
}

function rangeFacet(facet: Spec, path: string, type: 'number' | 'date', search: Searching): Facet {
  const boundaries = boundariesOf(facet, type);
  const numbers = boundaries.map((value) => numberOf(value));
  const otherwise = facet.string('default');
  return (found) => {
    const counts = numbers.slice(1).map(() => 0);
    let [within, total] = [0, 0];
    for (const { segment, hits } of found) {
      for (const one of hits.found) total += one;
      const points = segment.points(keys[type](path));
      if (points === undefined) continue;
      const any = new Uint8Array(segment.size);
      for (let bucket = 0; bucket < counts.length; bucket++) {
        search.spend(READ + segment.size);
        const counted = new Uint8Array(segment.size);
        const end = numbers[bucket + 1] as number;
        for (
          let at = lowerBound(points.values, numbers[bucket] as number);
          (points.values[at] as number) < end;
          at++
        ) {
          const doc = points.docs[at] as number;
          if (hits.found[doc] === 0 || counted[doc] === 1) continue;
          counted[doc] = 1;
          counts[bucket] = (counts[bucket] as number) + 1;
          if (any[doc] === 0) within++;
          any[doc] = 1;
        }
      }
    }
    const buckets = counts.map((count, bucket) => ({ id: boundaries[bucket] as Value, count }));
    return otherwise === undefined ? buckets : [...buckets, { id: string(otherwise), count: total - within }];
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
