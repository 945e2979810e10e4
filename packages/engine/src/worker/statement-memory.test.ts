import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type Sent, TestCluster } from './testing.ts';

let cluster: TestCluster;

beforeEach(() => {
  cluster = new TestCluster({ statementBytes: 1 << 20 });
  cluster.run({ insert: 'c', documents: [{ _id: 1 }, { _id: 2 }] });
});

afterEach(() => cluster.remove());

/** Returns a command that keeps a third of a statement's memory for a constant, and temporarily uses twice as much. */
const sizes = (entries: number) => ({
  aggregate: 'c',
  pipeline: [{ $project: { n: { $size: { $map: { input: { $range: [0, entries] }, in: '$_id' } } } } }],
  cursor: {},
});
const fits = sizes(28_000);
const exceeds = sizes(60_000);

test('every statement has memory of its own', () => {
  for (let i = 0; i < 3; i++) {
    assert.deepEqual(cluster.run(fits).cursor.firstBatch, [
      { _id: 1, n: 28_000 },
      { _id: 2, n: 28_000 },
    ]);
    assert.equal(cluster.run(exceeds).codeName, 'ExceededMemoryLimit');
  }
});

test('an update that fails releases its memory before the next update of the command', () => {
  const list = Array.from({ length: 10_000 }, (_, at) => at);
  cluster.run({ insert: 'lists', documents: [1, 2, 3].map((_id) => ({ _id, list, text: 'x' })) });
  const updates = [1, 2, 3].map((_id) => ({ q: { _id }, u: { $push: { list: -1 }, $inc: { text: 1 } } }));
  const { writeErrors } = cluster.run({ update: 'lists', updates, ordered: false });
  assert.deepEqual(
    writeErrors.map(({ codeName, code }: { codeName?: string; code: number }) => codeName ?? code),
    [14, 14, 14],
  );
});

test('a statement that runs while another one is paused has memory of its own', () => {
  // Each reading advances the clock by a millisecond, so that other statements run at the interruption
  // checks.
  let time = 0;
  cluster.clock.monotonic = () => ++time;
  let looks = 0;
  const inner: Sent[] = [];
  cluster.worker.ports = {
    receive() {
      if (++looks > 800 && inner.length < 3)
        inner.push(cluster.send(fits, { connectionId: 10 + inner.length }));
    },
    send() {},
  };
  const outer = cluster.send(fits);
  cluster.worker.runTurn();
  assert.equal(inner.length, 3);
  assert.deepEqual(
    [outer, ...inner].map(({ reply }) => reply?.cursor?.firstBatch.length),
    [2, 2, 2, 2],
  );
});
