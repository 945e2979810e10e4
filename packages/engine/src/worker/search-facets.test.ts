import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Document } from 'bson';
import { TestSearch } from './testing-search.ts';

function searching(t: TestContext, documents: readonly Document[], fields: Document) {
  const search = new TestSearch(documents, { mappings: { dynamic: false, fields } });
  t.after(() => search.close());
  return search;
}

/** Returns the buckets of a facet as pairs. */
function bucketsOf(search: TestSearch, facet: Document, name: string): unknown[] {
  const [meta] = search.aggregate({ $searchMeta: { facet } });
  return meta?.facet[name].buckets.map(({ _id, count }: Document) => [_id, Number(count)]);
}

test('the outdated types of facets take precedence and ignore arrays', (t) => {
  const both = [{ type: 'token', normalizer: 'lowercase' }, { type: 'stringFacet' }];
  const days = (...all: number[]) => all.map((day) => new Date(day * 86_400_000));
  const search = searching(
    t,
    [
      { _id: 1, s: 'Tea', n: [0, 10], old: [0, 10], d: days(0, 10) },
      { _id: 2, s: 'tea', n: 3, old: 3, d: days(3)[0] },
    ],
    {
      s: both,
      n: { type: 'number' },
      old: [{ type: 'number' }, { type: 'numberFacet' }],
      d: { type: 'dateFacet' },
    },
  );
  const ranges = (type: string, path: string, boundaries: unknown[]) => ({
    facets: { f: { type, path, boundaries, default: 'other' } },
  });
  assert.deepEqual(bucketsOf(search, { facets: { f: { type: 'string', path: 's' } } }, 'f'), [
    ['Tea', 1],
    ['tea', 1],
  ]);
  assert.deepEqual(search.ids({ equals: { path: 's', value: 'TEA' } }), [1, 2]);
  assert.deepEqual(bucketsOf(search, ranges('number', 'n', [0, 5, 11]), 'f'), [
    [0, 2],
    [5, 1],
    ['other', 0],
  ]);
  assert.deepEqual(bucketsOf(search, ranges('number', 'old', [0, 5, 11]), 'f'), [
    [0, 1],
    [5, 0],
    ['other', 1],
  ]);
  assert.deepEqual(
    bucketsOf(search, ranges('date', 'd', days(0, 5, 11)), 'f')?.map((pair) => (pair as unknown[])[1]),
    [1, 0, 1],
  );
});

test('a facet has up to 10,000 buckets', (t) => {
  const search = searching(t, [{ s: 'a' }], { s: { type: 'token' } });
  const facet = (numBuckets: number) => ({ facets: { f: { type: 'string', path: 's', numBuckets } } });
  assert.deepEqual(bucketsOf(search, facet(10_000), 'f'), [['a', 1]]);
  assert.match(search.refused({ $searchMeta: { facet: facet(10_001) } }), /numBuckets/);
});

test('operators do not affect the facets in doesNotAffect', (t) => {
  const search = searching(
    t,
    [
      { kind: 'x', n: 1, c: 'a' },
      { kind: 'x', n: 2, c: 'b' },
      { kind: 'y', n: 2, c: 'a' },
    ],
    { kind: { type: 'token' }, n: { type: 'number' }, c: { type: 'token' } },
  );
  const facets = { kinds: { type: 'string', path: 'kind' }, cs: { type: 'string', path: 'c' } };
  const equals = { path: 'kind', value: 'x' };
  const doesNotAffect = 'kinds';
  const all = [
    ['x', 2],
    ['y', 1],
  ];
  for (const operator of [
    { equals: { ...equals, doesNotAffect } },
    { in: { path: 'kind', value: ['x'], doesNotAffect: [doesNotAffect] } },
    { compound: { must: [{ equals: { ...equals, doesNotAffect } }] } },
    { compound: { filter: [{ equals }], doesNotAffect } },
    { compound: { mustNot: [{ equals: { path: 'kind', value: 'y', doesNotAffect } }] } },
  ]) {
    assert.deepEqual(bucketsOf(search, { operator, facets }, 'kinds'), all, JSON.stringify(operator));
    assert.deepEqual(bucketsOf(search, { operator, facets }, 'cs'), [
      ['a', 1],
      ['b', 1],
    ]);
  }
  const range = { range: { path: 'n', gte: 2, doesNotAffect } };
  const operator = { compound: { filter: [{ equals }, range] } };
  assert.deepEqual(bucketsOf(search, { operator, facets }, 'kinds'), [['x', 2]]);
  assert.deepEqual(bucketsOf(search, { operator, facets }, 'cs'), [['b', 1]]);
});

test('a facet counts only the matching embedded documents of its scope', (t) => {
  const round = (code: string, currency: string | null, sum: number) => ({ code, currency, sum });
  const search = searching(
    t,
    [
      { name: 'a', rounds: [round('a', 'USD', 1), round('b', 'USD', 5), round('c', 'GBP', 1)] },
      { name: 'b', rounds: [round('a', null, 1), round('b', 'USD', 50), round('b', 'USD', 5)] },
      { name: 'other', rounds: [round('z', 'USD', 1)] },
      { name: 'b', rounds: [] },
    ],
    {
      name: { type: 'token' },
      rounds: {
        type: 'embeddedDocuments',
        fields: { code: { type: 'token' }, currency: { type: 'token' }, sum: { type: 'number' } },
      },
    },
  );
  const embeddedDocument = {
    path: 'rounds',
    operator: { equals: { path: 'rounds.currency', value: 'USD' } },
  };
  const operator = { in: { path: 'name', value: ['a', 'b'] } };
  const codes = { type: 'string', path: 'rounds.code', embeddedDocument };
  const sums = {
    type: 'number',
    path: 'rounds.sum',
    boundaries: [0, 3, 10],
    default: 'other',
    embeddedDocument,
  };
  const facets = { codes, sums };
  assert.deepEqual(bucketsOf(search, { operator, facets }, 'codes'), [
    ['b', 2],
    ['a', 1],
  ]);
  assert.deepEqual(bucketsOf(search, { operator, facets }, 'sums'), [
    [0, 1],
    [3, 2],
    ['other', 1],
  ]);
  const refused = (facet: Document, more: Document = {}) =>
    search.refused({ $searchMeta: { facet: { operator, facets: { facet } }, ...more } });
  assert.match(refused({ ...codes, path: 'name' }), /must be within "rounds"/);
  assert.match(
    refused({ ...codes, embeddedDocument: { ...embeddedDocument, path: 'round' } }),
    /must be a descendant of embeddedDocument.path 'round'/,
  );
  const unaffected = { in: { ...operator.in, doesNotAffect: 'facet' } };
  assert.match(
    search.refused({ $searchMeta: { facet: { operator: unaffected, facets: { codes } } } }),
    /cannot be combined with "doesNotAffect"/,
  );
});

test('pipelines inside stages read the metadata of the search', (t) => {
  const search = searching(t, [{ _id: 1, s: 'tea' }], { s: { type: 'token' } });
  const facet = { operator: { exists: { path: 's' } }, facets: { all: { type: 'string', path: 's' } } };
  const [both] = search.aggregate(
    { $search: { facet } },
    { $facet: { meta: [{ $replaceWith: '$$SEARCH_META' }] } },
  );
  assert.deepEqual(both?.meta, [
    { count: { lowerBound: 1n }, facet: { all: { buckets: [{ _id: 'tea', count: 1n }] } } },
  ]);
});
