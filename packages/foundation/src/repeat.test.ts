import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RepeatOptions, repeat } from './repeat.ts';
import { testClock } from './testing.ts';

/** Creates a repetition that records when its rounds start. Each round returns `outcome()`. */
function rounds(outcome: () => unknown = () => undefined, options: Partial<RepeatOptions> = {}) {
  const machine = testClock();
  const [begun, errors]: [number[], string[]] = [[], []];
  const run = () => {
    begun.push(machine.monotonic());
    return outcome();
  };
  const onError = (error: Error) => void errors.push(error.message);
  return { machine, begun, errors, repetition: repeat({ machine, run, interval: 10, onError, ...options }) };
}

describe('repeat', () => {
  it('starts a round after each interval', () => {
    const { machine, begun } = rounds();
    machine.advance(35);
    assert.deepEqual(begun, [10, 20, 30]);
  });

  it('starts the first round after `first` milliseconds', () => {
    const { machine, begun } = rounds(undefined, { first: 0 });
    assert.deepEqual(begun, [0]);
    machine.advance(10);
    assert.deepEqual(begun, [0, 10]);
  });

  it('counts the interval from the end of a round, and never runs two at the same time', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waiting = [first, second];
    const { machine, begun, repetition } = rounds(() => waiting.shift()?.promise);
    machine.advance(25);
    assert.deepEqual(begun, [10]);
    first.resolve();
    await repetition.idle();
    machine.advance(9);
    assert.deepEqual(begun, [10]);
    machine.advance(1);
    assert.deepEqual(begun, [10, 35]);
    second.resolve();
    await repetition.stop();
  });

  it('reads the interval after each round', () => {
    const pauses = [5, 1, 2, Number.POSITIVE_INFINITY];
    const { machine, begun } = rounds(undefined, { interval: () => pauses.shift() ?? 0 });
    machine.advance(1000);
    assert.deepEqual(begun, [5, 6, 8]);
  });

  it('waits for wake if the interval is infinite', () => {
    const { machine, begun, repetition } = rounds(undefined, { interval: Number.POSITIVE_INFINITY });
    machine.advance(1000);
    assert.deepEqual(begun, []);
    repetition.wake();
    assert.deepEqual(begun, [1000]);
    repetition.wake(7);
    machine.advance(1000);
    assert.deepEqual(begun, [1000, 1007]);
  });

  it('wake moves the next round forward and never back', () => {
    const { machine, begun, repetition } = rounds();
    repetition.wake(4);
    repetition.wake(20);
    machine.advance(13);
    assert.deepEqual(begun, [4]);
    repetition.wake();
    machine.advance(10);
    assert.deepEqual(begun, [4, 13, 23]);
  });

  it('wake during a round starts one more round after it', async () => {
    const running = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const promises = running.map(({ promise }) => promise);
    const { machine, begun, repetition } = rounds(() => promises.shift());
    machine.advance(10);
    repetition.wake();
    repetition.wake();
    machine.advance(3);
    running[0]?.resolve();
    running[1]?.resolve();
    await repetition.idle();
    assert.deepEqual(begun, [10, 13]);
    machine.advance(10);
    assert.deepEqual(begun, [10, 13, 23]);
  });

  it('wake with a time during a round starts the next round within that time', async () => {
    const running = Promise.withResolvers<void>();
    const promises = [running.promise];
    const { machine, begun, repetition } = rounds(() => promises.shift());
    machine.advance(10);
    repetition.wake(6);
    machine.advance(2);
    running.resolve();
    await repetition.idle();
    machine.advance(4);
    assert.deepEqual(begun, [10, 16]);
  });

  it('continues after a synchronous or asynchronous failure, and reports the error', async () => {
    const outcomes = [
      () => assert.fail('thrown'),
      () => Promise.reject(new Error('rejected')),
      () => Promise.reject('no error'),
    ];
    const { machine, begun, errors, repetition } = rounds(() => outcomes.shift()?.());
    for (let i = 0; i < 4; i++) {
      machine.advance(10);
      await repetition.idle();
    }
    assert.deepEqual(errors, ['thrown', 'rejected', 'no error']);
    assert.deepEqual(begun, [10, 20, 30, 40]);
  });

  it('backs off from failure to failure, and resets after a success', () => {
    const fails = [true, true, true, true, false, true];
    const { machine, begun } = rounds(() => fails.shift() && assert.fail('again'), {
      first: 0,
      backOff: { first: 100, greatest: 300 },
    });
    machine.advance(820);
    // The pauses are 100, 200, 300, 300 (the maximum), 10 (after a success) and 100.
    assert.deepEqual(begun, [0, 100, 300, 600]);
    machine.advance(200);
    assert.deepEqual(begun, [0, 100, 300, 600, 900, 910, 1010, 1020]);
  });

  it('does not catch errors of its error handler, and continues', () => {
    const { machine, begun } = rounds(() => assert.fail('broken'), {
      onError: (error) => {
        throw error;
      },
    });
    assert.throws(() => machine.advance(10), /broken/);
    assert.throws(() => machine.advance(10), /broken/);
    assert.deepEqual(begun, [10, 20]);
  });

  it('stop waits for the running round and starts no more', async () => {
    const running = Promise.withResolvers<void>();
    const { machine, begun, repetition } = rounds(() => running.promise);
    machine.advance(10);
    repetition.wake();
    let stopped = false;
    const stopping = repetition.stop().then(() => {
      stopped = true;
    });
    await Promise.resolve();
    assert.equal(stopped, false);
    running.resolve();
    await stopping;
    repetition.wake();
    repetition.wake(1);
    machine.advance(1000);
    assert.deepEqual(begun, [10]);
  });

  it('stop aborts the running round, which is not an error', async () => {
    const machine = testClock();
    const errors: Error[] = [];
    const run = (signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const repetition = repeat({ machine, run, interval: 10, onError: (error) => void errors.push(error) });
    machine.advance(10);
    await repetition.stop();
    assert.deepEqual(errors, []);
  });

  it('reports a failure during stop', async () => {
    const running = Promise.withResolvers<void>();
    const { machine, errors, repetition } = rounds(() => running.promise);
    machine.advance(10);
    const stopping = repetition.stop();
    running.reject(new Error('the disk is full'));
    await stopping;
    assert.deepEqual(errors, ['the disk is full']);
  });

  it('stops at a signal, even one aborted beforehand', () => {
    const controller = new AbortController();
    const one = rounds(undefined, { signal: controller.signal });
    one.machine.advance(10);
    controller.abort();
    one.machine.advance(100);
    assert.deepEqual(one.begun, [10]);
    const other = rounds(undefined, { signal: controller.signal, first: 0 });
    other.machine.advance(100);
    assert.deepEqual(other.begun, []);
  });
});
