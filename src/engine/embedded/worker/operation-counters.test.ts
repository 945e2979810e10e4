import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TestCluster } from './testing.ts';

let cluster: TestCluster;

before(() => {
  cluster = new TestCluster();
});
after(() => cluster.remove());

test('a member counts what it has done, and what became of documents', () => {
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

test('another member counts for itself', () => {
  const before = cluster.run({ serverStatus: 1 }, { member: 'm1' }).opcounters;
  cluster.run({ find: 'c' });
  const { opcounters } = cluster.run({ serverStatus: 1 }, { member: 'm1' });
  assert.equal(Number(opcounters.query), Number(before.query));
});
