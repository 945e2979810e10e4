import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLUSTER_ID, info, TestCluster } from './testing.ts';

const MB = 1024 * 1024;
/** The code of the server's error `OutOfDiskSpace`. */
const FULL = 14_031;

test('a cluster whose disk is full refuses writes, serves reads, and accepts writes again on a larger disk', (t) => {
  const cluster = new TestCluster();
  t.after(() => cluster.remove());
  cluster.worker.configure(CLUSTER_ID, { ...info, diskBytes: 4 * MB });
  const load = (count: number) =>
    cluster.run({
      insert: 'cargo',
      documents: Array.from({ length: count }, () => ({ load: 'x'.repeat(MB / 2) })),
    });
  assert.equal(load(1).ok, 1);
  const refused = load(20);
  assert.equal(refused.code ?? refused.writeErrors?.[0]?.code, FULL);
  const { n } = cluster.run({ count: 'cargo' });
  assert.ok(n >= 1 && n < 8, `${n} documents are there`);
  assert.equal(cluster.run({ find: 'cargo', limit: 1 }).cursor.firstBatch.length, 1);
  assert.equal(load(20).ok === 1 && load(20).writeErrors === undefined, false, 'it stays full');
  // Change the primary. The cluster then stores the state of its members, although the disk is full.
  cluster.worker.configure(CLUSTER_ID, { ...info, diskBytes: 4 * MB, configVersion: 2 });
  cluster.clock.advance(1);
  cluster.worker.configure(CLUSTER_ID, { ...info, diskBytes: 64 * MB });
  assert.equal(load(10).ok, 1);
  assert.equal(cluster.run({ count: 'cargo' }).n, n + 10);
});
