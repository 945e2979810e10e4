import assert from 'node:assert/strict';
import { test } from 'node:test';
import { logStuck, StuckWatch } from './stuck-watch.ts';

/**
 * Returns a `StuckWatch` of a busy thread, and a function that runs its check after a given time, in which the process
 * has used some CPU time.
 */
function watched() {
  const heartbeat = { busy: true, beats: 1 };
  const watch = new StuckWatch(heartbeat);
  let [now, processor] = [1_000_000, 0];
  watch.check({ now, processor });
  const after = (ms: number, used = ms) => {
    now += ms;
    processor += used;
    return watch.check({ now, processor });
  };
  return { heartbeat, watch, after };
}

test('a busy thread is stuck ten seconds after its last beat, and unended five seconds later', () => {
  const { heartbeat, watch, after } = watched();
  for (let second = 1; second < 10; second++) assert.equal(after(1_000), 'well');
  heartbeat.beats++;
  for (let second = 0; second < 10; second++) assert.equal(after(1_000), 'well');
  assert.equal(watch.isStuck, false);
  assert.equal(after(1_000), 'stuck');
  assert.equal(watch.isStuck, true);
  for (let second = 1; second < 5; second++) assert.equal(after(1_000), 'ending');
  assert.equal(after(1_000), 'unended');
});

test('an idle thread is not stuck', () => {
  const { heartbeat, after } = watched();
  heartbeat.busy = false;
  for (let second = 0; second < 60; second++) assert.equal(after(1_000), 'well');
});

test('a thread is not stuck because the machine has stopped the whole process', () => {
  const { after } = watched();
  assert.equal(after(60_000), 'well');
  assert.equal(after(1_000), 'well');
  for (let second = 0; second < 6; second++) assert.equal(after(1_000), 'well');
  assert.equal(after(1_000), 'stuck');
  assert.equal(after(60_000), 'ending');
});

test('a thread without a processor is stuck later, and a thread that waits forever after a minute', () => {
  const busy = watched();
  for (let second = 1; second < 40; second++) assert.equal(busy.after(1_000, 250), 'well');
  assert.equal(busy.after(1_000, 250), 'stuck');
  for (let second = 1; second < 20; second++) assert.equal(busy.after(1_000, 250), 'ending');
  assert.equal(busy.after(1_000, 250), 'unended');
  const waiting = watched();
  for (let second = 1; second < 60; second++) assert.equal(waiting.after(1_000, 0), 'well');
  waiting.after(1_000, 0);
  waiting.after(1_000, 0);
  assert.equal(waiting.watch.isStuck, true);
  // Several threads use more CPU time than the time that passes.
  const several = watched();
  for (let second = 1; second < 10; second++) assert.equal(several.after(1_000, 4_000), 'well');
  assert.equal(several.after(1_000, 4_000), 'stuck');
});

test('the log of a cluster names the statement that did not respond', () => {
  const lines: object[] = [];
  logStuck({ logAll: (time, event) => void lines.push({ time, ...event }) }, 5, 'find on the database shop');
  assert.deepEqual(lines, [
    {
      time: 5,
      s: 'E',
      c: 'COMMAND',
      id: 23167,
      ctx: 'main',
      msg: 'A statement did not respond, so all connections are closed',
      attr: { statement: 'find on the database shop' },
    },
  ]);
});
