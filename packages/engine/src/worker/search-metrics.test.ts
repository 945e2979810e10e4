import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Document } from 'bson';
import { TestSearch } from './testing-search.ts';

const homes = [
  { _id: 1, type: 'flat', beds: 0, guests: 2, has: ['wifi'], day: new Date(5) },
  { _id: 2, type: 'flat', beds: 3, guests: 16, has: ['wifi', 'lift'], day: new Date(1) },
  { _id: 3, type: 'house', beds: 9, guests: [1, 4] },
  { _id: 4, type: 'house', guests: 7 },
];

function searching(t: TestContext) {
  const token = { type: 'token' };
  const number = { type: 'number' };
  const day = { type: 'date' };
  const search = new TestSearch(homes, {
    mappings: { fields: { type: token, has: token, beds: number, guests: number, day } },
  });
  t.after(() => search.close());
  return search;
}

const types = { type: 'string', path: 'type' };

test('a facet computes metrics of its buckets', (t) => {
  const search = searching(t);
  const bucketsOf = (aggregations: Document, more: Document = {}) =>
    search.aggregate({
      $searchMeta: { facet: { facets: { types: { ...types, aggregations } } }, ...more },
    })[0]?.facet.types.buckets;
  const of = (type: string, path = 'guests') => ({ type, path });
  assert.deepEqual(
    bucketsOf({ n: { type: 'count' }, sum: of('sum'), avg: of('avg'), min: of('min'), max: of('max') }),
    [
      { _id: 'flat', n: 2n, sum: 18, avg: 9, min: 2, max: 16 },
      // Sums and averages ignore documents with several values.
      { _id: 'house', n: 2n, sum: 7, avg: 7, min: 1, max: 7 },
    ],
  );
  assert.deepEqual(
    bucketsOf({ first: of('first', 'has'), last: of('last', 'day') }, { sort: { beds: -1 } }),
    [
      { _id: 'flat', first: ['lift', 'wifi'], last: new Date(5) },
      { _id: 'house', first: null, last: null },
    ],
  );
  assert.deepEqual(bucketsOf({ avg: of('avg', 'beds'), max: of('max', 'type') }), [
    { _id: 'flat', avg: 1.5, max: 'flat' },
    { _id: 'house', avg: 9, max: 'house' },
  ]);
});

test('buckets of a facet contain other facets', (t) => {
  const search = searching(t);
  const beds = { type: 'number', path: 'beds', boundaries: [0, 2, 4], default: 'other' };
  const nested = (inner: Document) =>
    search.aggregate({
      $searchMeta: { facet: { facets: { types: { ...types, facets: { beds: inner } } } } },
    })[0]?.facet.types.buckets;
  assert.deepEqual(nested({ ...beds, aggregations: { max: { type: 'max', path: 'guests' } } }), [
    {
      _id: 'flat',
      beds: {
        buckets: [
          { _id: 0, max: 2 },
          { _id: 2, max: 16 },
          { _id: 'other', max: null },
        ],
      },
    },
    {
      _id: 'house',
      beds: {
        buckets: [
          { _id: 0, max: null },
          { _id: 2, max: null },
          { _id: 'other', max: 7 },
        ],
      },
    },
  ]);
  assert.deepEqual(nested(beds)[0].beds.buckets, [
    { _id: 0, count: 1n },
    { _id: 2, count: 1n },
    { _id: 'other', count: 0n },
  ]);
});

test('metrics and nested facets are checked', (t) => {
  const search = searching(t);
  const refused = (facet: Document, operator?: Document) =>
    search.refused({
      $searchMeta: { facet: { ...(operator && { operator }), facets: { f: { ...types, ...facet } } } },
    });
  const metric = (spec: Document) => ({ aggregations: { m: spec } });
  assert.match(refused(metric({ type: 'sum' })), /path" is required with type sum/);
  assert.match(refused(metric({ type: 'count', path: 'beds' })), /cannot be set with type count/);
  assert.match(refused(metric({ type: 'sum', path: 'type' })), /to be indexed as number/);
  assert.match(refused(metric({ type: 'min', path: 'no' })), /to be indexed as number, date, token/);
  const inner = { facets: { g: types } };
  assert.match(
    refused({ ...inner, ...metric({ type: 'count' }) }),
    /cannot have both "aggregations" and "facets"/,
  );
  const many = { numBuckets: 1_000, facets: { g: { ...types, numBuckets: 101 } } };
  assert.match(refused(many), /can have at most 100000 buckets in total/);
  const unaffected = { equals: { path: 'type', value: 'flat', doesNotAffect: 'f' } };
  assert.match(refused(metric({ type: 'count' }), unaffected), /cannot be combined with "doesNotAffect"/);
});

test('the buckets of all facets of a search are limited together', (t) => {
  const search = searching(t);
  const refused = (facets: Document) => search.refused({ $searchMeta: { facet: { facets } } });
  const named = (count: number, facet: Document) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, facet]));
  const total = /"facet.facets" can have at most 100000 buckets in total/;
  const siblings = (count: number) => ({
    f: { ...types, numBuckets: 1_000, facets: named(count, { ...types, numBuckets: 10 }) },
  });
  assert.match(refused(siblings(11)), total);
  assert.equal(search.aggregate({ $searchMeta: { facet: { facets: siblings(10) } } }).length, 1);
  const large = { ...types, numBuckets: 10_000 };
  assert.match(refused(named(11, large)), total);
  assert.equal(search.aggregate({ $searchMeta: { facet: { facets: named(10, large) } } }).length, 1);
});
