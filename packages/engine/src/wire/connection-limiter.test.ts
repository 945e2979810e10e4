import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { ConnectionLimiter } from './connection-limiter.ts';

test('allows fewer connections the more clusters are open, and reports once that the limit is reached', async () => {
  let clusters = 1;
  const reports: number[] = [];
  const limiter = new ConnectionLimiter(
    40,
    () => clusters,
    (open) => void reports.push(open),
  );
  const sockets = Array.from({ length: 30 }, () => new Socket());
  const accepted = sockets.filter((socket) => limiter.acquire(socket));
  assert.equal(accepted.length, 40 - 16);
  assert.deepEqual(reports, [24]);
  clusters = 2;
  accepted.slice(0, 15).map((socket) => socket.destroy());
  await new Promise(setImmediate);
  // Even with many clusters, a quarter of the limit remains for connections.
  assert.deepEqual([limiter.acquire(new Socket()), limiter.acquire(new Socket())], [true, false]);
  assert.deepEqual(reports, [24, 10]);
});
