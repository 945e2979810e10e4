import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAST_MOMENT, serviceClock } from './clock.ts';
import { testClock } from './testing.ts';

test('service time stops at the end of the year 9999', () => {
  const machine = testClock();
  const clock = serviceClock(machine, { at: LAST_MOMENT - 10_000, since: machine.now(), rate: 1000 });
  assert.equal(clock.until(new Date(LAST_MOMENT)), 10);
  assert.equal(clock.until(new Date(LAST_MOMENT + 1)), Number.POSITIVE_INFINITY);
  machine.advance(60_000);
  assert.equal(clock.now().toISOString(), '9999-12-31T23:59:59.999Z');
});

test('a setting past the end is limited to it', () => {
  const clock = serviceClock(testClock(), { at: 1e16, since: 0, rate: 0 });
  assert.equal(clock.now().getTime(), LAST_MOMENT);
});
