import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../worker/testing.ts';

const cluster = new TestCluster();
after(() => cluster.remove());

/** Returns the hash of the plan's shape and the key of the plan cache. */
function hashes(collection: string, filter: Document): readonly [shape: string, key: string] {
  const { queryPlanner } = cluster.run({ explain: { find: collection, filter }, verbosity: 'queryPlanner' });
  return [queryPlanner.planCacheShapeHash, queryPlanner.planCacheKey];
}

const createIndex = (collection: string, key: Document, more: Document = {}) =>
  cluster.run({ createIndexes: collection, indexes: [{ key, name: 'one', ...more }] });

describe('the key of the plan cache', () => {
  const filters: ReadonlyArray<readonly [Document, Document, Document?]> = [
    [{ a: 1, b: 2 }, { b: 1 }],
    [
      { a: 1, b: 2 },
      { z: 1, a: -1 },
    ],
    [{ a: 1 }, { a: 1 }, { sparse: true }],
    [{ $or: [{ a: 1 }, { $and: [{ b: 1 }] }] }, { b: 1 }],
    [{ a: { $elemMatch: { b: 1 } } }, { 'a.b': 1 }],
    [{ a: { $not: { $elemMatch: { b: 1 } } } }, { 'a.b': 1 }],
    [{ $expr: { $and: [{ $eq: ['$b', 1] }] } }, { b: 1 }],
    [{ 'a.b': 1 }, { '$**': 1 }],
    [{ 'a.b': 1 }, { 'a.$**': 1 }],
  ];
  for (const [number, [filter, key, more]] of filters.entries()) {
    it(`of ${JSON.stringify(filter)} depends on an index on ${JSON.stringify(key)}`, () => {
      const name = `on${number}`;
      cluster.run({ create: name });
      const [shape, before] = hashes(name, filter);
      assert.match(before, /^[0-9A-F]{8}$/);
      assert.notEqual(before, shape);
      createIndex(name, key, more);
      const [same, changed] = hashes(name, filter);
      assert.equal(same, shape);
      assert.notEqual(changed, before);
      cluster.run({ dropIndexes: name, index: '*' });
      assert.deepEqual(hashes(name, filter), [shape, before]);
    });
  }

  const others: ReadonlyArray<readonly [Document, Document, Document?]> = [
    [{ a: 1 }, { b: 1 }],
    [{ a: { b: 1 } }, { 'a.b': 1 }],
    [{ a: 1 }, { 'b.$**': 1 }],
    [{ a: 1 }, { a: 1 }, { hidden: true }],
    [{ $expr: { $eq: ['$$ROOT', '$b'] } }, { ROOT: 1 }],
  ];
  for (const [number, [filter, key, more]] of others.entries()) {
    it(`of ${JSON.stringify(filter)} does not depend on an index on ${JSON.stringify(key)} ${JSON.stringify(more ?? {})}`, () => {
      const name = `off${number}`;
      cluster.run({ create: name });
      const before = hashes(name, filter);
      createIndex(name, key, more);
      assert.deepEqual(hashes(name, filter), before);
    });
  }

  it('depends on whether a partial index contains all matching documents', () => {
    cluster.run({ insert: 'partial', documents: [{ a: 1, p: 12 }] });
    for (const name of ['a', 'p']) createIndex('partial', { [name]: 1 }, { name });
    createIndex('partial', { a: 1, p: 1 }, { name: 'ap', partialFilterExpression: { p: { $gte: 10 } } });
    const queries = [10, 11, 5].map((low) => ({ a: 1, p: { $gte: low } }));
    const [ten, eleven, five] = queries.map((filter) => hashes('partial', filter));
    assert.deepEqual(eleven, ten);
    assert.equal(five?.[0], ten?.[0]);
    assert.notEqual(five?.[1], ten?.[1]);
    for (const filter of queries) cluster.run({ find: 'partial', filter });
    const cached = () =>
      cluster
        .run({ aggregate: 'partial', pipeline: [{ $planCacheStats: {} }], cursor: {} })
        .cursor.firstBatch.map((entry: Document) => entry.planCacheKey);
    assert.deepEqual(cached().toSorted(), [ten?.[1], five?.[1]].toSorted());
    cluster.run({ planCacheClear: 'partial', query: { a: 1, p: { $gte: 5 } } });
    assert.deepEqual(cached(), []);
  });

  it('does not depend on the name of an index, nor on the order of indexes', () => {
    const keys = (names: readonly string[]) => {
      cluster.run({ drop: 'order' });
      for (const name of names) createIndex('order', { [name]: 1 }, { name: `${names[0]}_${name}` });
      return hashes('order', { a: 1, b: 1 });
    };
    assert.deepEqual(keys(['a', 'b']), keys(['b', 'a']));
  });

  it('is the same in the plan cache and in profiles', () => {
    cluster.run({ insert: 'cached', documents: [{ a: 1, b: 1 }] });
    for (const name of ['a', 'b']) createIndex('cached', { [name]: 1 }, { name });
    cluster.run({ profile: 2 });
    cluster.run({ find: 'cached', filter: { a: 1, b: 1 } });
    cluster.run({ profile: 0 });
    const [shape, key] = hashes('cached', { a: 1, b: 1 });
    const [entry] = cluster.run({ aggregate: 'cached', pipeline: [{ $planCacheStats: {} }], cursor: {} })
      .cursor.firstBatch;
    const [profile] = cluster.run({ find: 'system.profile', filter: { ns: 'test.cached' } }).cursor
      .firstBatch;
    for (const { planCacheShapeHash, planCacheKey } of [entry, profile])
      assert.deepEqual([planCacheShapeHash, planCacheKey], [shape, key]);
  });
});
