import { bsonTypes, isNumberType } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import { int64, int64Of, string, type Value } from '../../bson/value.ts';
import { compileWithin } from './compile.ts';
import { searchError } from './errors.ts';
import { counting, countRanges, countTerms, type FacetScope } from './facet-counts.ts';
import type { SegmentHits } from './ranking.ts';
import type { Searching } from './searching.ts';
import { Spec } from './spec.ts';

interface Bucket {
  readonly id: Value;
  readonly count: number;
}

/** Counts documents by the values of a field. */
type Facet = (found: readonly SegmentHits[]) => Bucket[];

export type Facets = ReadonlyMap<string, Facet>;

const MAX_BUCKETS = 10_000;

export function compileFacets(spec: Spec, search: Searching, returnScope?: string): Facets {
  const facets = new Map<string, Facet>();
  for (const name of spec.names) {
    const facet = Spec.of(spec.required(name), spec.name(name));
    facet.required('type');
    const type = facet.oneOf('type', ['string', 'number', 'date']) ?? 'string';
    const path = facet.requiredString('path');
    const scope = scopeOf(facet, path, search, returnScope);
    facets.set(
      name,
      type === 'string'
        ? stringFacet(facet, path, scope, search)
        : rangeFacet(facet, path, type, scope, search),
    );
    facet.finish();
  }
  if (facets.size === 0) throw searchError('"facet.facets" cannot be empty');
  return facets;
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
  if (!path.startsWith(`${own}.`)) throw searchError(`"${facet.name('path')}" must be within "${own}"`);
  if (search.plan !== undefined && search.mapping(own, 'embeddedDocuments') === undefined) {
    throw searchError(`"${spec.at}" requires path "${own}" to be indexed as embeddedDocuments`);
  }
  if (returnScope !== undefined) throw searchError(`"${spec.at}" cannot be combined with "returnScope"`);
  if (search.unaffected.size > 0) throw searchError(`"${spec.at}" cannot be combined with "doesNotAffect"`);
  return { path: own, operator };
}

/** Counts the facets and encodes them in the format of `$searchMeta`. `found` returns the documents that a facet counts. */
export function countFacets(facets: Facets, found: (name: string) => readonly SegmentHits[]): RawDocument {
  return writeDocument((writer) => {
    for (const [name, facet] of facets) {
      const buckets = facet(found(name)).map(({ id, count }) =>
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

function stringFacet(facet: Spec, path: string, scope: FacetScope | undefined, search: Searching): Facet {
  const most = facet.int('numBuckets', { min: 1, max: MAX_BUCKETS }) ?? 10;
  if (search.plan !== undefined && search.mapping(path, 'token') === undefined) {
    throw searchError(`"${facet.at}" requires path "${path}" to be indexed as token`);
  }
  return (found) => {
    const count = () => countTerms(path, counting(found, scope, search), search);
    // Several facets may need the counts of all results.
    const counts = scope === undefined ? search.onceFor(found, `values ${path}`, count) : count();
    return counts.slice(0, most).map(([term, number]) => ({ id: string(term), count: number }));
  };
}

function rangeFacet(
  facet: Spec,
  path: string,
  type: 'number' | 'date',
  scope: FacetScope | undefined,
  search: Searching,
): Facet {
  const boundaries = boundariesOf(facet, type);
  const numbers = boundaries.map((value) => numberOf(value));
  const otherwise = facet.string('default');
  return (found) => {
    const { counts, outside } = countRanges({ path, type, numbers }, counting(found, scope, search), search);
    const buckets = counts.map((count, bucket) => ({ id: boundaries[bucket] as Value, count }));
    return otherwise === undefined ? buckets : [...buckets, { id: string(otherwise), count: outside }];
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
