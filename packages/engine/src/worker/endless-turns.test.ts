import assert from 'node:assert/strict';
import { it } from 'node:test';
import { TestCluster } from './testing.ts';

it('a turn ends while further statements arrive, so that the event loop can run', (t) => {
  const cluster = new TestCluster({}, { unsynced: true });
  t.after(() => cluster.remove());
  let now = 0;
  cluster.clock.monotonic = () => now++;
  let left = 1_000;
  const next = () => {
    if (left-- > 0) cluster.send({ count: 'c' });
  };
  cluster.worker.ports = { receive: next, send() {} };
  next();
  assert.equal(cluster.worker.runTurn(20), true);
  assert.ok(left > 900, `${left}`);
  left = 0;
  assert.equal(cluster.worker.runTurn(20), false);
});
