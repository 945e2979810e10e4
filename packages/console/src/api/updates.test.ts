import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { testClock } from '@portolan/foundation/testing';
import { Updates } from './updates.ts';

function countedUpdates() {
  const ends: (() => void)[] = [];
  const updated: (readonly number[])[] = [];
  const machine = testClock();
  const update = (events: readonly number[]) => {
    updated.push(events);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const updates = new Updates(update, machine);
  const pause = async () => {
    await setImmediate();
    machine.advance(2000);
    await setImmediate();
  };
  return { ends, updates, updated, pause };
}

test('events during an update cause one more update after a pause', async () => {
  const { ends, updates, updated, pause } = countedUpdates();
  updates.request(1);
  updates.request(2);
  updates.request(3);
  assert.deepEqual(updated, [[1]]);
  ends[0]?.();
  await setImmediate();
  assert.deepEqual(updated, [[1]]);
  await pause();
  assert.deepEqual(updated, [[1], [2, 3]]);
  ends[1]?.();
  await pause();
  assert.equal(updated.length, 2);
  updates.request(4);
  assert.deepEqual(updated, [[1], [2, 3], [4]]);
});

test('no update follows after a stop', async () => {
  const { ends, updates, updated, pause } = countedUpdates();
  updates.request(1);
  updates.request(2);
  updates.stop();
  ends[0]?.();
  await pause();
  assert.equal(updated.length, 1);
});
