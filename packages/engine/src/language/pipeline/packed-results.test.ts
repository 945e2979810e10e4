import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Value } from '../../bson/value.ts';
import { TestCluster } from '../../worker/testing.ts';

test('results of groups and distinct have no buffer for each value', (t) => {
  const cluster = new TestCluster();
  t.after(() => cluster.remove());
  const documents = Array.from({ length: 2_000 }, (_, _id) => ({ _id, text: `t${_id}` }));
  cluster.run({ insert: 'c', documents });
  const copies = t.mock.method(Value.prototype, 'detached');
  const run = (...pipeline: object[]) =>
    cluster.run({ aggregate: 'c', pipeline, cursor: { batchSize: 5_000 } }).cursor.firstBatch;
  assert.equal(run({ $group: { _id: '$text' } }).length, 2_000);
  const lists = { pushed: { $push: '$text' }, set: { $addToSet: '$text' } };
  const [{ pushed, set }] = run({ $group: { _id: null, ...lists } });
  assert.deepEqual([pushed.length, set.length], [2_000, 2_000]);
  assert.equal(cluster.run({ distinct: 'c', key: 'text' }).values.length, 2_000);
  assert.ok(copies.mock.callCount() < 100, `${copies.mock.callCount()} buffers`);
});
