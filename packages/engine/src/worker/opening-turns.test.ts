import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { OpeningTurns } from './opening-turns.ts';
import { info } from './testing.ts';

const message = (clusterId: string) => ({ kind: 'open', clusterId, files: { dir: '' }, info }) as const;

test('one cluster is opened in each iteration of the event loop', async () => {
  const opened: string[] = [];
  const turns = new OpeningTurns(({ clusterId }) => opened.push(clusterId));
  const counts: number[] = [];
  for (const id of ['a', 'b', 'c', 'd']) turns.add(message(id));
  for (let iteration = 0; iteration < 5; iteration++) {
    counts.push(opened.length);
    await setImmediate();
  }
  assert.deepEqual(
    [opened, counts],
    [
      ['a', 'b', 'c', 'd'],
      [1, 2, 3, 4, 4],
    ],
  );
  turns.add(message('e'));
  assert.equal(opened.at(-1), 'e');
});

test('a cluster is opened before further messages about it, and during long statements', () => {
  const opened: string[] = [];
  const turns = new OpeningTurns(({ clusterId }) => opened.push(clusterId));
  for (const id of ['a', 'b', 'c', 'd']) turns.add(message(id));
  turns.finish('c');
  turns.finish('unknown');
  turns.next();
  assert.deepEqual(opened, ['a', 'c', 'b']);
});
