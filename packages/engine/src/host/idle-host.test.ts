import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testClock } from '@portolan/foundation/testing';
import { returnMemoryWhenIdle } from './idle-host.ts';

test('an engine host returns memory once whenever its threads hardly work any more', () => {
  const clock = testClock();
  let [worked, returned] = [0, 0];
  returnMemoryWhenIdle(
    clock,
    () => worked,
    () => returned++,
  );
  const work = (seconds: number, share: number) => {
    for (let second = 0; second < seconds; second++) {
      worked += 1_000 * share;
      clock.advance(1_000);
    }
  };
  work(60, 0.8);
  assert.equal(returned, 0);
  work(300, 0.02);
  assert.equal(returned, 1);
  work(60, 0.8);
  assert.equal(returned, 1);
  work(30, 0.02);
  assert.equal(returned, 2);
});
