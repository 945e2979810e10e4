import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Document, Double, Long } from 'bson';
import { TestSearch } from './testing-search.ts';

function searching(t: TestContext, documents: readonly Document[], fields: Document, more: Document = {}) {
  const search = new TestSearch(documents, { mappings: { dynamic: false, fields }, ...more });
  t.after(() => search.close());
  return search;
}

const text = (query: string, path = 't') => ({ text: { query, path } });

test('a string field without frequencies scores each term once, and supports no phrases', (t) => {
  const documents = [
    { _id: 1, docs: 'tea tea tea cup', freqs: 'tea tea tea cup' },
    { _id: 2, docs: 'tea cup', freqs: 'tea cup' },
  ];
  const fields = {
    docs: { type: 'string', indexOptions: 'docs' },
    freqs: { type: 'string', indexOptions: 'freqs' },
  };
  const search = searching(t, documents, fields);
  const [often, once] = ['1', '2'].map((id) => search.scores(text('tea', 'docs'))[id]);
  assert.ok(often !== undefined && often === once);
  assert.deepEqual(search.ids(text('tea', 'freqs')), [1, 2]);
  for (const path of ['docs', 'freqs']) {
    const message = search.refused({ $search: { phrase: { query: 'tea cup', path } } });
    assert.match(message, new RegExp(`"${path}" requires "indexOptions" to be positions or offsets`));
  }
});

test('string fields are scored by their similarity', (t) => {
  const documents = [
    { _id: 1, yes: 'tea tea', tf: 'tea tea' },
    { _id: 2, yes: 'tea', tf: 'tea' },
    { _id: 3, yes: 'cup', tf: 'cup' },
  ];
  const similarity = (type: string) => ({ type: 'string', similarity: { type } });
  const search = searching(t, documents, { yes: similarity('boolean'), tf: similarity('stableTfl') });
  assert.deepEqual(search.scores(text('tea', 'yes')), { 1: 1, 2: 1 });
  // The formula of the manual. It estimates from the length of a term how rare the term is, and ignores the other
  // documents.
  const tfl = (freq: number, length: number) => {
    const p = 1 - (1 - 0.00781 * 2 ** (-0.917 * 'tea'.length)) ** length;
    return Math.log(1 + (1 - p + 0.05) / (p + 0.05)) * (freq / (freq + 1.2));
  };
  const scores = search.scores(text('tea', 'tf'));
  assert.deepEqual(
    Object.values(scores).map((score) => score.toFixed(4)),
    [tfl(2, 2).toFixed(4), tfl(1, 1).toFixed(4)],
  );
});

test('only numbers of the types that a field allows are indexed', (t) => {
  const documents = [
    { _id: 1, n: new Long(7) },
    { _id: 2, n: new Double(7.4) },
    { _id: 3, n: new Double(7) },
  ];
  const found = (options: Document) => {
    const search = searching(t, documents, { n: { type: 'number', ...options } });
    return search.ids({ range: { path: 'n', gte: 7, lte: 7 } }).sort();
  };
  assert.deepEqual(found({}), [1, 3]);
  assert.deepEqual(found({ indexIntegers: false }), [3]);
  assert.deepEqual(found({ indexDoubles: false }), [1]);
  assert.deepEqual(found({ representation: 'int64' }), [1, 2, 3]);
});

test('points are always indexed, shapes only if their field allows them', (t) => {
  const coordinates = [1, 1];
  const around = [
    [
      [0, 0],
      [2, 0],
      [2, 2],
      [0, 2],
      [0, 0],
    ],
  ];
  const line = { type: 'LineString', coordinates: [coordinates, [1, 1.5]] };
  const documents = [
    { _id: 1, g: { type: 'Point', coordinates } },
    { _id: 2, g: line },
  ];
  const geoWithin = { path: 'g', geometry: { type: 'Polygon', coordinates: around } };
  const found = (indexShapes: boolean) =>
    searching(t, documents, { g: { type: 'geo', indexShapes } })
      .ids({ geoWithin })
      .sort();
  assert.deepEqual(found(false), [1]);
  assert.deepEqual(found(true), [1, 2]);
});

test('completions use the words of the analyzer, without accents', (t) => {
  const documents = [
    { _id: 1, t: 'Über-Café' },
    { _id: 2, t: 'x Caféteria' },
  ];
  const analyzers = [{ name: 'plus', tokenizer: { type: 'regexSplit', pattern: '[-+]' } }];
  const fields = { t: { type: 'autocomplete', analyzer: 'plus', minGrams: 3 } };
  const search = searching(t, documents, fields, { analyzers });
  const found = (query: string) => search.ids({ autocomplete: { query, path: 't' } });
  assert.deepEqual(found('CAF'), [1]);
  assert.deepEqual(found('ube'), [1]);
  assert.deepEqual(found('x caf'), [2]);
  assert.deepEqual(found('cafeteria'), []);
});

const parts = {
  parts: {
    type: 'embeddedDocuments',
    dynamic: true,
    storedSource: { include: ['parts.name', 'n'] },
    fields: { inner: { type: 'embeddedDocuments', dynamic: true, storedSource: true } },
  },
};
const ships = [
  {
    _id: 1,
    name: 'Lugger',
    parts: [
      { name: 'red sail', n: 1, secret: 1, inner: [{ word: 'knot' }, { word: 'rope', more: 2 }] },
      { name: 'mast', n: 2 },
    ],
  },
  { _id: 2, parts: { name: 'sail', n: 3, inner: { word: 'rope' } } },
];

test('embedded documents are read after their segment has been removed', (t) => {
  const search = searching(t, ships.slice(0, 1), parts);
  search.cluster.run({ insert: 'docs', documents: ships.slice(1) });
  search.settle();
  const stage = {
    ...text('rope', 'parts.inner.word'),
    returnStoredSource: true,
    returnScope: { path: 'parts.inner' },
  };
  const { cursor } = search.cluster.run({
    aggregate: 'docs',
    pipeline: [{ $search: stage }],
    cursor: { batchSize: 1 },
  });
  const definition = { mappings: { dynamic: true, fields: parts } };
  search.cluster.run({ updateSearchIndex: 'docs', name: 'default', definition });
  search.settle();
  const more = search.cluster.run({ getMore: cursor.id, collection: 'docs' });
  assert.deepEqual(
    [...cursor.firstBatch, ...more.cursor.nextBatch],
    [{ word: 'rope', more: 2 }, { word: 'rope' }],
  );
});

test('embedded documents are returned on their own, with their stored fields', (t) => {
  const search = searching(t, ships, parts);
  const scoped = (path: string, operator: Document) => {
    const stage = { ...operator, returnStoredSource: true, returnScope: { path } };
    return search.aggregate({ $search: stage });
  };
  assert.deepEqual(scoped('parts', text('sail', 'parts.name')), [
    { name: 'sail', n: 3 },
    { name: 'red sail', n: 1 },
  ]);
  assert.deepEqual(scoped('parts.inner', text('rope', 'parts.inner.word')), [
    { word: 'rope', more: 2 },
    { word: 'rope' },
  ]);
  const stage = { ...text('x'), returnStoredSource: true, returnScope: { path: 'name' } };
  assert.match(search.refused({ $search: stage }), /to be indexed as embeddedDocuments/);
});

test('scores of embedded documents are combined, and then modified', (t) => {
  const search = searching(t, ships, parts);
  const scores = (embedded: Document) =>
    search.scores({
      embeddedDocument: {
        path: 'parts',
        operator: { range: { path: 'parts.n', gte: 1, score: { constant: { value: 3 } } } },
        score: { embedded },
      },
    });
  assert.deepEqual(scores({ aggregate: 'sum' }), { 1: 6, 2: 3 });
  assert.deepEqual(scores({ aggregate: 'mean', outerScore: { boost: { value: 2 } } }), { 1: 6, 2: 6 });
  assert.deepEqual(scores({ outerScore: { function: { log1p: { score: 'relevance' } } } }), {
    1: Math.fround(Math.log10(7)),
    2: Math.fround(Math.log10(4)),
  });
});
