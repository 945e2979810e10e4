import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Updates } from './updates.ts';

function countedUpdates() {
  const ends: (() => void)[] = [];
  return { ends, updates: new Updates(() => new Promise((resolve) => ends.push(resolve))) };
}

test('events during an update cause one more update after its end', async () => {
  const { ends, updates } = countedUpdates();
  updates.request();
  updates.request();
  updates.request();
  assert.equal(ends.length, 1);
  ends[0]?.();
  await setImmediate();
  assert.equal(ends.length, 2);
  ends[1]?.();
  await setImmediate();
  assert.equal(ends.length, 2);
  updates.request();
  assert.equal(ends.length, 3);
});

test('no update follows after a stop', async () => {
  const { ends, updates } = countedUpdates();
  updates.request();
  updates.request();
  updates.stop();
  ends[0]?.();
  await setImmediate();
  assert.equal(ends.length, 1);
});
