import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Document } from 'bson';
import { TestSearch } from './testing-search.ts';

function searching(t: TestContext, documents: readonly Document[], definition?: Document) {
  const search = new TestSearch(documents, { mappings: { dynamic: true }, ...definition });
  t.after(() => search.close());
  return search;
}

const text = (query: string, path = 't') => ({ text: { query, path } });

test('near ignores numbers and dates in arrays', (t) => {
  const day = new Date(0);
  const search = searching(t, [
    { _id: 1, n: 5, d: day },
    { _id: 2, n: [5], d: [day] },
    { _id: 3, n: [5, 7], d: [day, day] },
  ]);
  assert.deepEqual(search.scores({ near: { path: 'n', origin: 5, pivot: 1 } }), { 1: 1 });
  assert.deepEqual(search.ids({ near: { path: 'd', origin: day, pivot: 1 } }), [1]);
  assert.deepEqual(search.ids({ range: { path: 'n', gte: 5 } }), [1, 2, 3]);
});

test('null and missing values sort as the lowest or the highest', (t) => {
  const search = searching(t, [
    { _id: 1, t: 'x', n: null },
    { _id: 2, t: 'x', n: 5 },
    { _id: 3, t: 'x' },
    { _id: 4, t: 'x', n: 9 },
    { _id: 5, t: 'x', n: [null, 7] },
  ]);
  const sorted = (n: unknown) => search.ids({ ...text('x'), sort: { n } });
  assert.deepEqual(sorted(1), [1, 3, 5, 2, 4]);
  assert.deepEqual(sorted(-1), [4, 5, 2, 1, 3]);
  assert.deepEqual(sorted({ order: 1, noData: 'highest' }), [2, 5, 4, 1, 3]);
  assert.deepEqual(sorted({ order: -1, noData: 'highest' }), [1, 3, 5, 4, 2]);
});

test('a highlighted field need not be searched', (t) => {
  const search = searching(t, [{ a: 'green tea', b: 'black tea' }]);
  const highlights = (path: unknown) =>
    search
      .aggregate(
        { $search: { ...text('tea', 'a'), highlight: { path } } },
        { $project: { h: { $meta: 'searchHighlights' } } },
      )[0]
      ?.h.map(({ path: own }: Document) => own);
  assert.deepEqual(highlights('b'), ['b']);
  assert.deepEqual(highlights(['a', 'b']), ['a', 'b']);
});

test('moreLikeThis cannot search embedded documents', (t) => {
  const fields = { list: { type: 'embeddedDocuments', dynamic: true } };
  const search = searching(t, [{ list: [{ t: 'a' }] }], { mappings: { dynamic: true, fields } });
  const operator = { moreLikeThis: { like: { list: { t: 'a' } } } };
  assert.match(
    search.refused({ $search: { embeddedDocument: { path: 'list', operator } } }),
    /"moreLikeThis" cannot be within "embeddedDocument"/,
  );
});

test('queryString rejects patterns that begin with a wildcard', (t) => {
  const search = searching(t, [{ _id: 1, t: 'banana' }]);
  const query = (value: string) => ({ queryString: { defaultPath: 't', query: value } });
  for (const value of ['*anana', '?anana', 't:*a', 'x OR *a']) {
    assert.match(search.refused({ $search: query(value) }), /could not be parsed/, value);
  }
  assert.deepEqual(search.ids(query('ban*a')), [1]);
  assert.deepEqual(search.ids(query('*')), [1]);
});

test('wildcard applies the filters of the analyzer to a query on an analyzed field', (t) => {
  const folding = {
    name: 'folding',
    tokenizer: { type: 'standard' },
    tokenFilters: [{ type: 'icuFolding' }],
  };
  const fields = {
    f: { type: 'string', analyzer: 'folding' },
    k: { type: 'string', analyzer: 'lucene.keyword' },
  };
  const search = searching(t, [{ _id: 1, t: 'Foo Bar', f: 'Été', k: 'Foo' }], {
    mappings: { dynamic: true, fields },
    analyzers: [folding],
  });
  const found = (path: string, query: string) =>
    search.ids({ wildcard: { path, query, allowAnalyzedField: true } }).length;
  assert.deepEqual([found('t', 'FO*'), found('t', 'FOO B*'), found('f', 'ÉT?')], [1, 0, 1]);
  assert.deepEqual([found('k', 'Fo*'), found('k', 'FO*')], [1, 0]);
});

test('regex has the operators of Lucene and no anchors', (t) => {
  const values = ['1', '3', '03', '10', '99', '100', 'xyz', '^a$', 'a.b', 'who?'];
  const fields = { k: { type: 'string', analyzer: 'lucene.keyword' } };
  const search = searching(
    t,
    values.map((k, _id) => ({ _id, k })),
    { mappings: { dynamic: false, fields } },
  );
  const found = (query: string) =>
    (search.ids({ regex: { path: 'k', query } }) as number[]).sort((a, b) => a - b).map((id) => values[id]);
  assert.deepEqual(found('<1-3>'), ['1', '3']);
  assert.deepEqual(found('<3-99>'), ['3', '03', '10', '99']);
  assert.deepEqual(found('<99-3>'), ['3', '03', '10', '99']);
  assert.deepEqual(found('<10-99>'), ['10', '99']);
  assert.deepEqual(found('<5-100>'), ['10', '99', '100']);
  assert.deepEqual(found('#|xyz'), ['xyz']);
  assert.deepEqual(found('x@'), ['xyz']);
  assert.deepEqual(found('^a$'), ['^a$']);
  assert.deepEqual(found('"a.b"'), ['a.b']);
  assert.deepEqual(found('who\\?'), ['who?']);
  assert.deepEqual(found('[<#]|[^0-9]{3}'), ['xyz', '^a$', 'a.b']);
});

test('text with synonyms and without criteria matches the terms in their positions', (t) => {
  const field = { type: 'string', analyzer: 'lucene.standard' };
  const search = new TestSearch(
    ['i like ships', 'i like vessels', 'ships i like', 'i like'].map((own, _id) => ({ _id, t: own })),
    {
      mappings: { dynamic: false, fields: { t: field } },
      synonyms: [{ name: 'same', analyzer: 'lucene.standard', source: { collection: 'words' } }],
    },
  );
  t.after(() => search.close());
  search.cluster.run({
    insert: 'words',
    documents: [{ mappingType: 'equivalent', synonyms: ['ships', 'vessels'] }],
  });
  search.settle();
  const found = (more: Document) =>
    search.ids({ text: { query: 'i like ships', path: 't', ...more } }).sort();
  assert.deepEqual(found({ synonyms: 'same' }), [0, 1]);
  assert.deepEqual(found({ synonyms: 'same', matchCriteria: 'all' }), [0, 1, 2]);
  assert.deepEqual(found({ synonyms: 'same', matchCriteria: 'any' }), [0, 1, 2, 3]);
  assert.deepEqual(found({}), [0, 1, 2, 3]);
});
