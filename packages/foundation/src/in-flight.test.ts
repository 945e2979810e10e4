import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { InFlight, lookAhead } from './in-flight.ts';

test('limits concurrent work, and done waits for all of it', async () => {
  const work = new InFlight(2);
  const gates = ['a', 'b', 'c'].map((name) => ({ name, ...Promise.withResolvers<void>() }));
  const steps: string[] = [];
  const adding = (async () => {
    for (const { name, promise } of gates) {
      await work.add(() => promise.then(() => steps.push(name)));
      steps.push(`${name} begins`);
    }
    await work.done();
    steps.push('done');
  })();
  await turn();
  assert.deepEqual(steps, ['a begins', 'b begins']);
  for (const { resolve } of gates.toReversed()) resolve();
  await adding;
  assert.deepEqual(steps.toSorted(), ['a', 'a begins', 'b', 'b begins', 'c', 'c begins', 'done']);
  assert.equal(steps.at(-1), 'done');
});

test('the next call throws an earlier error, and done waits for the other work first', async () => {
  const work = new InFlight(4);
  const late = Promise.withResolvers<void>();
  const steps: string[] = [];
  await work.add(() => late.promise.then(() => steps.push('late')));
  await work.add(() => Promise.reject(new Error('no room')));
  await turn();
  await assert.rejects(
    work.add(() => Promise.resolve()),
    /no room/,
  );
  const done = work.done();
  late.resolve();
  await assert.rejects(done, /no room/);
  assert.deepEqual(steps, ['late']);
});

test('lookAhead loads a few items ahead and yields in order', async () => {
  const started: number[] = [];
  const look = (n: number) => {
    started.push(n);
    return n === 9 ? Promise.reject(new Error('not there')) : Promise.resolve(n * 2);
  };
  const found = lookAhead([1, 2, 3, 4, 9], 2, look);
  assert.equal((await found.next()).value, 2);
  assert.deepEqual(started, [1, 2, 3]);
  const rest: number[] = [];
  await assert.rejects(async () => {
    for await (const one of found) rest.push(one);
  }, /not there/);
  assert.deepEqual(rest, [4, 6, 8]);
});
