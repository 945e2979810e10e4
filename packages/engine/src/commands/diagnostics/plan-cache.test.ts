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

test('the parts of a shape are ignored for a missing collection', () => {
  for (const name of ['planCacheClear', 'planCacheClearFilters']) {
    assert.equal(cluster.run({ [name]: 'none', query: 1, sort: 1 }).ok, 1);
    assert.equal(cluster.run({ [name]: 'c', query: 1 }).code, 2);
  }
});
