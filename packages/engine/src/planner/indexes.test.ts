import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Document } from 'bson';
import fc from 'fast-check';
import { TestCluster } from '../worker/testing.ts';

let cluster: TestCluster;
before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

const scalar = fc.oneof(
  fc.integer({ min: -2, max: 3 }),
  fc.constantFrom<unknown>(
    null,
    'a',
    'ab',
    'A',
    'a10',
    'a9',
    'á',
    '字',
    'a\0',
    'b',
    '',
    1.5,
    true,
    Number.NaN,
  ),
);
const inner = fc.dictionary(fc.constantFrom('b', 'c'), scalar, { maxKeys: 2, noNullPrototype: true });
const entry = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 2, arbitrary: inner },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalar, inner), { maxLength: 2 }) },
);
const value = fc.oneof(
  { weight: 4, arbitrary: scalar },
  { weight: 2, arbitrary: inner },
  { weight: 3, arbitrary: fc.array(entry, { maxLength: 3 }) },
);
const document = fc.dictionary(fc.constantFrom('a', 'd', 'e'), value, { maxKeys: 3, noNullPrototype: true });
const path = fc.constantFrom('a', 'a.b', 'a.c', 'd', 'e', 'd.b');

const operand = fc.oneof(
  scalar,
  fc.record({ $gt: scalar }),
  fc.record({ $lte: scalar, $gte: scalar }),
  fc.record({ $in: fc.array(fc.oneof(scalar, inner), { maxLength: 3 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 2 }) }),
  fc.record({ $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $type: fc.constantFrom('number', 'string', 'null', 'object', 'int', 'array') }),
  fc.record({ $not: fc.record({ $lt: scalar }) }),
  fc.record({ $elemMatch: fc.record({ $gt: scalar, $lt: scalar }) }),
  fc.record({ $elemMatch: fc.record({ b: scalar, c: fc.record({ $gte: scalar }) }) }),
  fc.record({ $elemMatch: fc.record({ $elemMatch: fc.record({ $gte: scalar }) }) }),
  fc.record({ $elemMatch: fc.record({ $elemMatch: fc.record({ b: scalar }) }) }),
  fc.constantFrom<unknown>(/^a/, /^ab?/, /^a\d/, /^á/, /b$/, [1], [], { b: 1 }, {}),
  fc.constantFrom<unknown>({ $mod: [2, 1] }, { $not: { $mod: [2, 0] } }, { $not: /^a/ }, { $size: 1 }),
);
const conditions = fc.dictionary(path, operand, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
const compared = fc.oneof(
  fc.tuple(
    path.map((name) => `$${name}`),
    scalar,
  ),
  fc.tuple(
    scalar,
    path.map((name) => `$${name}`),
  ),
);
const expression = fc
  .tuple(fc.constantFrom('$eq', '$gt', '$gte', '$lt', '$lte'), compared)
  .map(([operator, operands]): Document => ({ $expr: { [operator]: operands } }));
const filter = fc.oneof(
  { weight: 1, arbitrary: expression },
  { weight: 1, arbitrary: fc.tuple(conditions, expression).map(([one, two]) => ({ $and: [one, two] })) },
  { weight: 3, arbitrary: conditions },
  { weight: 1, arbitrary: fc.record({ $or: fc.array(conditions, { minLength: 1, maxLength: 3 }) }) },
  { weight: 1, arbitrary: fc.record({ $and: fc.array(conditions, { minLength: 1, maxLength: 2 }) }) },
);

const direction = fc.constantFrom(1, -1);
const key = fc
  .uniqueArray(fc.tuple(path, direction), { minLength: 1, maxLength: 3, selector: ([name]) => name })
  .map((parts): Document => Object.fromEntries(parts));
const index = fc.oneof(
  { weight: 5, arbitrary: fc.record({ key }) },
  { weight: 1, arbitrary: fc.record({ key, sparse: fc.constant(true) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      key,
      partialFilterExpression: fc.constantFrom<Document>(
        { a: { $exists: true } },
        { d: { $gt: 0 } },
        { e: 1 },
        { a: { $type: ['number', 'string'] } },
        { d: { $type: 'string' } },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ key: fc.record({ '$**': direction }) }) },
  { weight: 1, arbitrary: fc.record({ key: fc.constantFrom<Document>({ 'd.$**': -1 }, { 'a.$**': 1 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      key,
      collation: fc.constantFrom<Document>(
        { locale: 'fr', strength: 1 },
        { locale: 'en', numericOrdering: true },
      ),
      sparse: fc.constantFrom(true, false),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Document>({ key: { a: 'hashed' } }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Document>({ key: { e: 1, 'd.$**': -1 } }, { key: { 'a.$**': 1, e: -1 } }),
  },
);

/** Returns the `_id`s of the returned documents, or the error code. */
function answer(command: Document): unknown {
  const reply = cluster.run(command);
  if (reply.ok !== 1) return reply.code;
  return reply.cursor.firstBatch.map(({ _id }: Document) => _id);
}

function inOrder(numbers: unknown): unknown {
  return Array.isArray(numbers) ? numbers.toSorted((a, b) => a - b) : numbers;
}

describe('a query with indexes', () => {
  it('returns the same as a collection scan', () => {
    const cases = fc.record({
      documents: fc.array(document, { minLength: 1, maxLength: 12 }),
      indexes: fc.array(index, { minLength: 1, maxLength: 3 }),
      filters: fc.array(filter, { minLength: 1, maxLength: 5 }),
      sort: key,
      collation: fc.constantFrom<Document>(
        {},
        { locale: 'fr', strength: 1 },
        { locale: 'en', numericOrdering: true },
      ),
      changes: fc.array(fc.tuple(fc.nat(11), document), { maxLength: 4 }),
    });
    let made = 0;
    const check = fc.property(cases, ({ documents, indexes, filters, sort, collation, changes }) => {
      const c = `c${made++}`;
      const specs = indexes.map((spec, i) => ({ ...spec, name: `i${i}` }));
      for (const [i, spec] of specs.entries()) {
        // Create half of the indexes before the documents, because some indexes cannot be created after documents that
        // they reject.
        if (i % 2 === 0) cluster.run({ createIndexes: c, indexes: [spec] });
      }
      cluster.run({ insert: c, documents: documents.map((one, _id) => ({ ...one, _id })), ordered: false });
      for (const spec of specs) cluster.run({ createIndexes: c, indexes: [spec] });
      for (const [_id, u] of changes) cluster.run({ update: c, updates: [{ q: { _id }, u: { ...u, _id } }] });
      for (const one of filters) {
        const scanned = answer({ find: c, filter: one, collation, hint: { $natural: 1 } });
        assert.deepEqual(
          inOrder(answer({ find: c, filter: one, collation })),
          inOrder(scanned),
          JSON.stringify(one),
        );
        const sorted = { find: c, filter: one, collation, sort: { ...sort, _id: 1 } };
        assert.deepEqual(answer(sorted), answer({ ...sorted, hint: { $natural: 1 } }));
        // Compare sort keys instead of documents, because the order of documents with equal sort keys is
        // undefined.
        const keys = (command: Document) => {
          const reply = cluster.run({ ...command, sort, projection: { key: { $meta: 'sortKey' } } });
          return reply.ok === 1
            ? reply.cursor.firstBatch.map(({ key: found }: Document) => found)
            : reply.code;
        };
        assert.deepEqual(
          keys({ find: c, filter: one, collation }),
          keys({ find: c, filter: one, collation, hint: { $natural: 1 } }),
        );
        if (!Array.isArray(scanned)) continue;
        assert.equal(cluster.run({ count: c, query: one, collation }).n, scanned.length, JSON.stringify(one));
      }
      assert.deepEqual(cluster.run({ validate: c }).valid, true);
      cluster.run({ drop: c });
    });
    fc.assert(check, { numRuns: Number(process.env.PLAN_RUNS ?? 60), seed: 7 });
  });

  const cases: Array<[what: string, spec: Document, documents: Document[], filter: Document, ids: number[]]> =
    [
      [
        'a negation of null in an index with arrays',
        { key: { a: 1 } },
        [
          { _id: 1, a: ['b', null] },
          { _id: 2, a: [1] },
        ],
        { a: { $ne: null } },
        [2],
      ],
      [
        'a negation of null below an empty array',
        { key: { 'a.b': 1 } },
        [{ _id: 1, a: [] }, { _id: 2 }],
        { 'a.b': { $ne: null } },
        [1],
      ],
      [
        'an expression that sees an empty array',
        { key: { 'a.b': 1 }, sparse: true },
        [{ _id: 1, a: [] }, { _id: 2 }],
        { $expr: { $gte: ['$a.b', 5] } },
        [1],
      ],
    ];
  for (const [what, spec, documents, query, ids] of cases) {
    it(`finds and counts the same documents for ${what}`, () => {
      cluster.run({ createIndexes: 'fixed', indexes: [{ ...spec, name: 'i' }] });
      cluster.run({ insert: 'fixed', documents });
      assert.deepEqual(answer({ find: 'fixed', filter: query }), ids);
      assert.equal(cluster.run({ count: 'fixed', query }).n, ids.length);
      cluster.run({ drop: 'fixed' });
    });
  }
});
