import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Document } from 'bson';
import { TestCluster } from '../../worker/testing.ts';

let cluster: TestCluster;
beforeEach(() => {
  cluster = new TestCluster();
  cluster.run({ insert: 'c', documents: [1, 2, 3].map((n) => ({ _id: n, a: n, b: n })) });
  const indexes = ['a', 'b'].map((name) => ({ key: { [name]: 1 }, name }));
  cluster.run({ createIndexes: 'c', indexes });
});
afterEach(() => cluster.remove());

const plans = (): Document[] =>
  cluster.run({ aggregate: 'c', pipeline: [{ $planCacheStats: {} }], cursor: {} }).cursor.firstBatch;

test('queries with several candidate indexes are cached by shape', () => {
  cluster.run({ find: 'c', filter: { a: 1, b: 1 } });
  cluster.run({ find: 'c', filter: { a: 2, b: 2 } });
  cluster.run({ find: 'c', filter: { a: { $gt: 1 }, b: 1 } });
  cluster.run({ find: 'c', filter: { a: 1 } });
  const [first, second, ...others] = plans();
  assert.deepEqual(others, []);
  assert.deepEqual(first?.createdFromQuery, { query: { a: 1, b: 1 }, sort: {}, projection: {} });
  assert.equal(first?.isActive, true);
  assert.equal(first?.cachedPlan.inputStage.stage, 'IXSCAN');
  assert.equal(second?.isActive, false);
});

test('the plan cache is cleared on request and when indexes change', () => {
  cluster.run({ find: 'c', filter: { a: 1, b: 1 } });
  cluster.run({ find: 'c', filter: { a: { $gt: 1 }, b: 1 } });
  cluster.run({ planCacheClear: 'c', query: { a: 5, b: 6 } });
  assert.equal(plans().length, 1);
  assert.equal(cluster.run({ planCacheClear: 'c', sort: { a: 1 } }).code, 2);
  cluster.run({ planCacheClear: 'c' });
  assert.deepEqual(plans(), []);
  cluster.run({ create: 'series', timeseries: { timeField: 't' } });
  assert.equal(cluster.run({ planCacheClear: 'series' }).code, 166);
  cluster.run({ find: 'c', filter: { a: 1, b: 1 } });
  cluster.run({ dropIndexes: 'c', index: 'b' });
  assert.deepEqual(plans(), []);
});

test('a query with a long shape is cached, unless it has more than 16 KB', () => {
  for (const length of [8_000, 16_000, 17_000]) {
    cluster.run({ find: 'c', filter: { a: 1, b: 1, ['x'.repeat(length)]: 1 } });
  }
  assert.equal(plans().length, 2);
});

test('the cached queries of all collections together have a limited size, and the least recently used are removed', () => {
  cluster.run({ insert: 'd', documents: [{ _id: 1, a: 1, b: 1 }] });
  cluster.run({ createIndexes: 'd', indexes: ['a', 'b'].map((name) => ({ key: { [name]: 1 }, name })) });
  const [long, each] = ['x'.repeat(15_000), 700];
  for (const name of ['c', 'd']) {
    for (let i = 0; i < each; i++) cluster.run({ find: name, filter: { a: 1, b: 1, [`f${i}`]: long } });
    // This query stays in the cache, because it is used again.
    cluster.run({ find: 'c', filter: { a: 1, b: 1, f0: long } });
  }
  const cached = (name: string): Document[] =>
    cluster.run({
      aggregate: name,
      pipeline: [{ $planCacheStats: {} }, { $project: { uses: '$works', _id: 0 } }],
      cursor: { batchSize: 2 * each },
    }).cursor.firstBatch;
  const [ofC, ofD] = [cached('c'), cached('d')];
  const kept = Math.floor((16 << 20) / 15_600);
  assert.equal(ofD.length, each);
  assert.ok(Math.abs(ofC.length + each - kept) < 20, `${ofC.length} and ${each} entries`);
  assert.deepEqual(ofC.at(-1), { uses: 3n });
});

test('the index filters of all collections of a cluster together have a limited size', () => {
  cluster.run({ create: 'd' });
  const long = 'x'.repeat(5_000_000);
  const filter = (name: string, field: string, value = long) =>
    cluster.run({ planCacheSetFilter: name, query: { [field]: value }, indexes: ['a'] });
  for (const [name, field] of [
    ['c', 'a'],
    ['c', 'b'],
    ['d', 'a'],
    // This filter replaces the earlier one on the same query.
    ['c', 'b'],
  ] as const) {
    assert.equal(filter(name, field).ok, 1);
  }
  assert.equal(filter('d', 'b').codeName, 'ExceededMemoryLimit');
  assert.equal(filter('d', 'b', 'x').ok, 1);
  assert.equal(cluster.run({ planCacheListFilters: 'd' }).filters.length, 2);
  cluster.run({ planCacheClearFilters: 'c' });
  assert.equal(filter('d', 'b').ok, 1);
});

test('the parts of a shape are ignored for a missing collection', () => {
  for (const name of ['planCacheClear', 'planCacheClearFilters']) {
    assert.equal(cluster.run({ [name]: 'none', query: 1, sort: 1 }).ok, 1);
    assert.equal(cluster.run({ [name]: 'c', query: 1 }).code, 2);
  }
});
