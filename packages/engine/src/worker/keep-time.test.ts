import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { TestCluster, testMember } from './testing.ts';

let cluster: TestCluster;
beforeEach(() => {
  cluster = new TestCluster();
});
afterEach(() => cluster.remove());

const noops = () =>
  cluster.run({ find: 'oplog.rs', $db: 'local', filter: { 'o.msg': 'periodic noop' } }).cursor.firstBatch;
const time = () => {
  const sent = cluster.send({ ping: 1 });
  cluster.worker.runTurn();
  return sent.operationTime?.getHighBits();
};

test('the time of a cluster that is only read advances every ten seconds', () => {
  const first = time();
  cluster.clock.advance(9_000);
  assert.equal(time(), first);
  for (const seconds of [10, 20]) {
    cluster.clock.advance(10_000);
    assert.equal(time(), Number(first) + seconds);
  }
  assert.deepEqual(
    noops().map(({ op, ns }: { op: string; ns: string }) => [op, ns]),
    [
      ['n', ''],
      ['n', ''],
    ],
  );
});

test('a cluster that writes gets no such entries', () => {
  for (let i = 0; i < 4; i++) {
    cluster.clock.advance(6_000);
    cluster.run({ insert: 'c', documents: [{}] });
  }
  assert.deepEqual(noops(), []);
});

test('a cluster without requests gets no more such entries after a while', () => {
  cluster.run({ ping: 1 });
  cluster.clock.advance(100_000);
  assert.ok(noops().length < 8, `${noops().length} entries`);
});

test('a cluster that was idle has the current time again after its first request', () => {
  cluster.run({ ping: 1 });
  cluster.clock.advance(3_600_000);
  const old = time();
  const current = time();
  assert.ok(Number(current) - Number(old) > 3_500, `${current} after ${old}`);
  cluster.clock.advance(9_000);
  assert.equal(time(), current);
});

test('a cluster without a primary gets none', () => {
  const secondary = testMember(0, { state: 'SECONDARY', priority: 7 });
  cluster.run({ ping: 1 });
  cluster.configure({ members: [secondary] });
  cluster.clock.advance(20_000);
  cluster.configure({});
  assert.deepEqual(noops(), []);
});
