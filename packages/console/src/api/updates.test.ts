import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { testClock } from '@portolan/foundation/testing';
import { Updates } from './updates.ts';

function countedUpdates() {
  const ends: (() => void)[] = [];
  const machine = testClock();
  const updates = new Updates(() => new Promise((resolve) => ends.push(resolve)), machine);
  const pause = async () => {
    await setImmediate();
    machine.advance(2000);
    await setImmediate();
  };
  return { ends, updates, pause };
}

test('events during an update cause one more update after a pause', async () => {
  const { ends, updates, pause } = countedUpdates();
  updates.request();
  updates.request();
  updates.request();
  assert.equal(ends.length, 1);
  ends[0]?.();
  await setImmediate();
  assert.equal(ends.length, 1);
  await pause();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await pause();
  assert.equal(ends.length, 2);
  updates.request();
  assert.equal(ends.length, 3);
});

test('no update follows after a stop', async () => {
  const { ends, updates, pause } = countedUpdates();
  updates.request();
  updates.request();
  updates.stop();
  ends[0]?.();
  await pause();
  assert.equal(ends.length, 1);
});
