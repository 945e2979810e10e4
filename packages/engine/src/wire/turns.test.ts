import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ClusterTurns } from './turns.ts';

test('a cluster runs few hello commands before the thread serves others, and its connections take turns', async () => {
  const turns = new ClusterTurns();
  const ran: string[] = [];
  /** Handles `hello` commands of a connection until it has to wait. */
  const greet = (name: string, left: number) => {
    for (let remaining = left; remaining > 0; remaining--) {
      if (turns.isSpent) {
        turns.wait(() => greet(name, remaining));
        return;
      }
      ran.push(name);
      turns.spend();
    }
  };
  greet('a', 100);
  greet('b', 1);
  const first = ran.length;
  assert.ok(first < 40, `${first} greetings at once`);
  await setImmediate();
  const second = ran.length - first;
  assert.ok(second > 0 && second < 40, `${second} greetings in the second turn`);
  while (ran.length < 101) await setImmediate();
});
