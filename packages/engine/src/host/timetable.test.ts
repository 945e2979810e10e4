import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { silentLog } from '@portolan/foundation/log';
import { testClock } from '@portolan/foundation/testing';
import { HostTimetable } from './timetable.ts';

test('every entry runs at its own interval, independent of the others, until the host stops', async () => {
  const clock = testClock();
  const runs: string[] = [];
  const warnings: unknown[] = [];
  const log = { ...silentLog(), warn: (fields: object) => void warnings.push(fields) };
  const slow = Promise.withResolvers<void>();
  const entries = [
    { name: 'sample', every: 10, run: () => void runs.push('sample') },
    {
      name: 'broken',
      every: 10,
      run: () => {
        throw new Error('no disk');
      },
    },
    {
      name: 'slow',
      every: 25,
      run: () => {
        runs.push('slow');
        return slow.promise;
      },
    },
  ];
  const timetable = new HostTimetable(entries, { clock, log });
  for (let turn = 0; turn < 3; turn++) {
    clock.advance(10);
    await setImmediate();
  }
  assert.deepEqual(runs, ['sample', 'sample', 'slow', 'sample']);
  assert.deepEqual(warnings, Array(3).fill({ entry: 'broken', reason: 'no disk' }));
  await timetable.now('sample');
  assert.equal(runs.splice(4).join(), 'sample', 'an entry runs at once on request');
  let stopped = false;
  const stopping = timetable.stop().then(() => {
    stopped = true;
  });
  await setImmediate();
  assert.equal(stopped, false, 'stop waits for running entries');
  slow.resolve();
  await stopping;
  clock.advance(100);
  assert.equal(runs.length, 4);
});
