import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemRandom } from '@portolan/foundation/random';
import { testClock } from '@portolan/foundation/testing';
import { type RetryOptions, retrying } from './retry.ts';

const conflict = new Error('conflict');

/** Returns a clock whose timers fire at once. */
function impatientClock() {
  const after = (_: number, run: () => void) => {
    queueMicrotask(run);
    return () => {};
  };
  return { ...testClock(), after };
}

function retry(options: Partial<RetryOptions> = {}) {
  const machine = impatientClock();
  return retrying({ machine, random: systemRandom(), isConflict: (error) => error === conflict, ...options });
}

test('a transaction is retried after conflicts until it succeeds', async () => {
  let runs = 0;
  const answer = await retry()(async () => {
    if (++runs < 5) throw conflict;
    return 'done';
  });
  assert.deepEqual([answer, runs], ['done', 5]);
});

test('other errors are thrown at once, even after conflicts', async () => {
  const thrown = [conflict, conflict, new Error('real'), conflict];
  await assert.rejects(
    retry()(async () => {
      throw thrown.shift();
    }),
    { message: 'real' },
  );
  assert.equal(thrown.length, 1);
});

test('the conflict is thrown after the maximum number of retries', async () => {
  let runs = 0;
  const attempt = async () => {
    runs++;
    throw conflict;
  };
  await assert.rejects(retry({ limit: 3 })(attempt), conflict);
  assert.equal(runs, 4);
});

test('retries run one after another, while other transactions bypass them', async () => {
  const run = retry();
  const waiting = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
  const order: string[] = [];
  const collide = (name: string, until: Promise<void>) => {
    let tried = false;
    return run(async () => {
      order.push(name);
      if (!tried) {
        tried = true;
        throw conflict;
      }
      await until;
    });
  };
  const both = [collide('a', waiting[0].promise), collide('b', waiting[1].promise)];
  await run(async () => void order.push('other'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(order, ['a', 'b', 'other', 'a']);
  waiting[0].resolve();
  await both[0];
  waiting[1].resolve();
  await both[1];
  assert.deepEqual(order, ['a', 'b', 'other', 'a', 'b']);
});
