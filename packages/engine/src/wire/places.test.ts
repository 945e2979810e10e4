import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { Places } from './places.ts';

test('there are fewer places the more clusters are open, and it is told once when there is none', async () => {
  let clusters = 1;
  const told: number[] = [];
  const places = new Places(
    40,
    () => clusters,
    (open) => void told.push(open),
  );
  const sockets = Array.from({ length: 30 }, () => new Socket());
  const taken = sockets.filter((socket) => places.take(socket));
  assert.equal(taken.length, 40 - 16);
  assert.deepEqual(told, [24]);
  clusters = 2;
  taken.slice(0, 15).map((socket) => socket.destroy());
  await new Promise(setImmediate);
  // A quarter is left to connections, however many clusters there are.
  assert.deepEqual([places.take(new Socket()), places.take(new Socket())], [true, false]);
  assert.deepEqual(told, [24, 10]);
});
