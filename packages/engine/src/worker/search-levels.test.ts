import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Document } from 'bson';
import { TestSearch } from './testing-search.ts';

const rounds = [
  {
    _id: 1,
    name: 'harbour',
    rounds: [
      { code: 'a', sum: 5, investors: [{ who: 'ada', part: 1 }] },
      { code: 'b', sum: 7, investors: [{ who: 'bob', part: 2 }] },
    ],
  },
  { _id: 2, name: 'lake', rounds: [{ code: 'a', sum: 9, investors: [{ who: 'ada', part: 3 }] }] },
];

function searching(t: TestContext) {
  const investors = { type: 'embeddedDocuments', dynamic: true, storedSource: true };
  const fields = { code: { type: 'token' } };
  const mapping = [
    {
      type: 'embeddedDocuments',
      dynamic: true,
      storedSource: { include: ['code', 'sum'] },
      fields: { ...fields, investors },
    },
    { type: 'document', dynamic: true, fields },
  ];
  const search = new TestSearch(rounds, { mappings: { dynamic: true, fields: { rounds: mapping } } });
  t.after(() => search.close());
  return search;
}

const text = (path: unknown, query: string, more: Document = {}) => ({ text: { path, query, ...more } });
const scope = (path: string) => ({ returnScope: { path }, returnStoredSource: true });

test('operators on embedded documents search only paths within them', (t) => {
  const search = searching(t);
  const refused = (operator: Document) =>
    search.refused({ $search: { embeddedDocument: { path: 'rounds', operator } } });
  const outside = (name: string, path = 'name') =>
    `${name} operator path '${path}' must be a descendant of embeddedDocument.path 'rounds'`;
  assert.equal(refused(text('name', 'lake')), outside('text'));
  assert.equal(refused(text(['rounds.code', 'name'], 'a')), outside('text'));
  assert.equal(refused(text({ wildcard: '*' }, 'a')), outside('text', '*'));
  assert.equal(
    refused({ compound: { must: [{ exists: { path: 'rounds' } }] } }),
    outside('exists', 'rounds'),
  );
  assert.equal(refused({ queryString: { defaultPath: 'name', query: 'a' } }), outside('queryString'));
  assert.equal(refused({ span: { term: { path: 'name', query: 'a' } } }), outside('span'));
  assert.match(
    refused(text('rounds.code', 'a', { score: { function: { path: 'sum' } } })),
    /^text operator score path expression 'sum' must be a descendant/,
  );
  assert.match(
    search.refused({ $search: { ...text('name', 'lake'), ...scope('rounds') } }),
    /must be a descendant of returnScope.path 'rounds'/,
  );
});

test('hasAncestor and hasRoot search the documents around those that are returned', (t) => {
  const search = searching(t);
  const found = (operator: Document, path = 'rounds.investors') =>
    search.aggregate({ $search: { ...operator, ...scope(path) } });
  const ancestor = (operator: Document, ancestorPath = 'rounds') => ({
    hasAncestor: { ancestorPath, operator },
  });
  assert.deepEqual(found(ancestor({ equals: { path: 'rounds.code', value: 'b' } })), [
    { who: 'bob', part: 2 },
  ]);
  assert.deepEqual(found({ hasRoot: { operator: text('name', 'lake') } }, 'rounds'), [{ code: 'a', sum: 9 }]);
  const refused = (operator: Document, path = 'rounds.investors') =>
    search.refused({ $search: { ...operator, ...scope(path) } });
  assert.match(refused(ancestor(text('name', 'lake'))), /must be a descendant of hasAncestor.ancestorPath/);
  assert.match(
    refused(ancestor({ exists: { path: 'rounds.investors.who' } }, 'rounds.investors')),
    /^hasAncestor.ancestorPath 'rounds.investors' must be a parent of returnScope.path/,
  );
  assert.match(
    refused(ancestor(ancestor({ exists: { path: 'rounds.code' } }))),
    /"hasAncestor" cannot be within "hasAncestor"/,
  );
  assert.match(
    search.refused({ $search: { hasRoot: { operator: text('name', 'lake') } } }),
    /"hasRoot" requires "returnScope"/,
  );
});

test('returned embedded documents have the id of their root document', (t) => {
  const search = searching(t);
  const shown = { $project: { sum: 1, root: { $meta: 'searchRootDocumentId' } } };
  const found = search.aggregate(
    { $search: { equals: { path: 'rounds.code', value: 'a' }, ...scope('rounds') } },
    shown,
  );
  assert.deepEqual(found, [
    { sum: 5, root: 1 },
    { sum: 9, root: 2 },
  ]);
  const reply = search.cluster.run({
    aggregate: 'docs',
    pipeline: [{ $search: text('name', 'lake') }, shown],
    cursor: {},
  });
  assert.equal(reply.errmsg, 'query requires $search root document id metadata, but it is not available');
});

test('a field may be mapped differently in embedded documents and in the documents around them', (t) => {
  const search = searching(t);
  assert.deepEqual(search.ids({ equals: { path: 'rounds.code', value: 'b' } }), [1]);
  const facets = { codes: { type: 'string', path: 'rounds.code' } };
  const [meta] = search.aggregate({ $searchMeta: { facet: { facets } } });
  assert.deepEqual(meta?.facet.codes.buckets, [
    { _id: 'a', count: 2n },
    { _id: 'b', count: 1n },
  ]);
  const inside = { equals: { path: 'rounds.investors.who', value: 'ada' } };
  assert.match(
    search.refused({ $search: inside }),
    /requires path "rounds.investors.who" to be indexed as token/,
  );
});

test('an operator on vectors is the only operator of a search', (t) => {
  const fields = { v: { type: 'vector', numDimensions: 2, similarity: 'cosine' } };
  const search = new TestSearch([{ _id: 1, v: [1, 0], t: 'x' }], { mappings: { dynamic: true, fields } });
  t.after(() => search.close());
  const nearest = { vectorSearch: { path: 'v', queryVector: [1, 0], limit: 2, numCandidates: 10 } };
  const filter = text('t', 'x');
  assert.deepEqual(search.ids({ vectorSearch: { ...nearest.vectorSearch, filter } }), [1]);
  const refused = (spec: Document) => search.refused({ $search: spec });
  assert.match(
    refused({ compound: { must: [nearest] } }),
    /"vectorSearch" must be the operator of the search/,
  );
  assert.match(refused({ facet: { operator: nearest, facets: {} } }), /"vectorSearch" cannot be in "facet"/);
  for (const [option, value] of Object.entries({
    highlight: { path: 't' },
    sort: { t: 1 },
    searchAfter: 'x',
  })) {
    assert.match(refused({ ...nearest, [option]: value }), new RegExp(`"${option}" cannot be set with`));
  }
});
