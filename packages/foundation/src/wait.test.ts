import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type TestClock, testClock } from './testing.ts';
import { poll, within } from './wait.ts';

/** Advances the clock by `step` several times. Callbacks that are due run each time. */
async function walk(clock: TestClock, step: number, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await new Promise(setImmediate);
    clock.advance(step);
  }
}

describe('poll', () => {
  it('polls until there is an answer', async () => {
    const clock = testClock();
    const answers = [undefined, undefined, 'there'];
    const polls: number[] = [];
    const found = poll(clock, { step: 10, limit: 100 }, () => {
      polls.push(clock.monotonic());
      return answers.shift();
    });
    await walk(clock, 10, 5);
    assert.equal(await found, 'there');
    assert.deepEqual(polls, [0, 10, 20]);
  });

  it('gives up when the limit has passed', async () => {
    const clock = testClock();
    let polls = 0;
    const found = poll(clock, { step: 10, limit: 25 }, async () => void polls++);
    await walk(clock, 10, 5);
    assert.equal(await found, undefined);
    // Polls at 0, 10, 20 and, past the limit, at 30.
    assert.equal(polls, 4);
  });
});

describe('within', () => {
  it('returns the result of work that ends in time', async () => {
    const clock = testClock();
    assert.equal(await within(clock, 10, Promise.resolve('there')), 'there');
    await assert.rejects(within(clock, 10, Promise.reject(new Error('failed'))), /failed/);
  });

  it('returns undefined when the time has passed', async () => {
    const clock = testClock();
    const found = within(clock, 10, new Promise<string>(() => {}));
    clock.advance(10);
    assert.equal(await found, undefined);
  });
});
