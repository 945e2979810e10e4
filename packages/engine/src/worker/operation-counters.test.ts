import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;
const root = { username: 'root', database: 'admin', roles: [{ role: 'root', database: 'admin' }] };

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

test('a member counts its operations and the documents that they changed', () => {
  const documents = Array.from({ length: 5 }, (_, _id) => ({ _id }));
  cluster.run({ insert: 'c', documents });
  cluster.run({ update: 'c', updates: [{ q: {}, u: { $set: { a: 1 } }, multi: true }] });
  cluster.run({ delete: 'c', deletes: [{ q: { _id: 1 }, limit: 1 }] });
  cluster.run({ find: 'c' });
  cluster.run({ find: 'c', filter: { $nonsense: 1 } });
  const { opcounters, metrics, opLatencies, asserts } = cluster.run({ serverStatus: 1 });
  assert.deepEqual([asserts.user, asserts.regular], [1, 0]);
  const { insert, query, update, delete: removed } = opcounters;
  assert.deepEqual([insert, query, update, removed].map(Number), [5, 2, 1, 1]);
  const { returned, inserted, updated, deleted } = metrics.document;
  assert.deepEqual([returned, inserted, updated, deleted].map(Number), [4, 5, 5, 1]);
  assert.ok(Number(metrics.queryExecutor.scannedObjects) >= 10);
  assert.deepEqual([opLatencies.reads.ops, opLatencies.writes.ops].map(Number), [2, 3]);
});

test('sorts without an index are counted, and how many of them spilled to disk', () => {
  const documents = Array.from({ length: 100 }, (_, n) => ({ n, pad: 'x'.repeat(1000) }));
  cluster.run({ insert: 'piles', documents });
  cluster.run({ createIndexes: 'piles', indexes: [{ key: { n: 1 }, name: 'n_1' }] });
  const counted = () => {
    const { operation, query } = cluster.run({ serverStatus: 1 }).metrics;
    return [operation.scanAndOrder, query.sort.spillToDisk].map(Number);
  };
  assert.deepEqual(counted(), [0, 0]);
  cluster.run({ find: 'piles', sort: { n: 1 } });
  assert.deepEqual(counted(), [0, 0], 'an index has this order');
  cluster.run({ find: 'piles', sort: { pad: 1, n: -1 } });
  cluster.run({ aggregate: 'piles', pipeline: [{ $sort: { pad: 1, n: -1 } }], cursor: {} });
  assert.deepEqual(counted(), [2, 0]);
  const limit = 'internalQueryMaxBlockingSortMemoryUsageBytes';
  const set = (bytes: number) =>
    assert.equal(cluster.run({ setParameter: 1, [limit]: bytes, $db: 'admin' }, { user: root }).ok, 1);
  // Documents and keys take about 1 kB each.
  set(120_000);
  cluster.run({ find: 'piles', sort: { pad: 1, n: -1 } });
  assert.deepEqual(counted(), [3, 1]);
  set(100 << 20);
});

test('each member has its own counters', () => {
  const before = cluster.run({ serverStatus: 1 }, { member: 'm1' }).opcounters;
  cluster.run({ find: 'c' });
  const { opcounters } = cluster.run({ serverStatus: 1 }, { member: 'm1' });
  assert.equal(Number(opcounters.query), Number(before.query));
});
