import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { testClock } from '@portolan/foundation/testing';
import { spaceWatch } from './free-space.ts';

const GB = 1024 ** 3;

test('a copy ends when the disk is nearly full', async () => {
  const machine = testClock();
  let free = GB;
  await using watch = spaceWatch(machine, 'staging', async () => ({ free, total: 100 * GB }));
  const check = async () => {
    machine.advance(2_000);
    await setImmediate();
  };
  await check();
  assert.equal(watch.signal.aborted, false);
  free = GB / 4;
  await check();
  assert.match(String(watch.signal.reason), /has only 268435456 bytes left for a copy of the data$/);
});

test('of a small disk, a twentieth remains free', async () => {
  const machine = testClock();
  let free = GB / 10;
  await using watch = spaceWatch(machine, 'staging', async () => ({ free, total: GB }));
  machine.advance(2_000);
  await setImmediate();
  assert.equal(watch.signal.aborted, false);
  free = GB / 25;
  machine.advance(2_000);
  await setImmediate();
  assert.equal(watch.signal.aborted, true);
});
