import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { Restarts } from './restarts.ts';

const OUT_OF_MEMORY = 'Error [ERR_WORKER_OUT_OF_MEMORY]: Worker terminated due to reaching memory limit';

test('restarts repeated failures after increasing pauses', () => {
  const clock = testClock();
  const restarts = new Restarts(clock);
  let started = 0;
  /** Reports that the thread has ended, and waits until it is restarted. Returns the length of the pause. */
  const ended = (reason = 'it exited') => {
    const before = started;
    restarts.after(reason, () => {
      started++;
    });
    assert.equal(restarts.waiting, true);
    let waited = 0;
    for (; started === before; waited += 250) clock.advance(250);
    assert.equal(restarts.waiting, false);
    return waited;
  };
  assert.deepEqual([ended(), ended(), ended()], [250, 500, 1_000]);
  for (let more = 0; more < 5; more++) ended();
  assert.equal(ended(), 30_000);
  clock.advance(120_000);
  assert.equal(ended(), 250);
  assert.equal(restarts.outOfMemory, false);
  assert.equal(ended(OUT_OF_MEMORY), 500);
  assert.equal(restarts.outOfMemory, true);
  clock.advance(120_000);
  assert.equal(restarts.outOfMemory, false);
  restarts.after('it exited', () => assert.fail('the restart was cancelled'));
  restarts.cancel();
  clock.advance(1_000);
});
