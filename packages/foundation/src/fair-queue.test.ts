import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FairQueue } from './fair-queue.ts';

test('keys take turns, however much work one of them has', async () => {
  const queue = new FairQueue<string>();
  const started: string[] = [];
  const run = (key: string, name: string) => queue.run(key, async () => void started.push(name));
  const all = [
    run('a', 'a1'),
    run('a', 'a2'),
    run('a', 'a3'),
    run('a', 'a4'),
    run('b', 'b1'),
    run('b', 'b2'),
  ];
  assert.deepEqual([queue.size, queue.sizeOf('a'), queue.sizeOf('b'), queue.sizeOf('c')], [5, 3, 2, 0]);
  await Promise.all(all);
  assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
  assert.equal(queue.size, 0);
});

test('one piece of work runs at a time, and a failure does not stop the work after it', async () => {
  const queue = new FairQueue<string>();
  const gate = Promise.withResolvers<string>();
  const started: string[] = [];
  const first = queue.run('a', () => gate.promise);
  const second = queue.run('b', () => {
    started.push('second');
    throw new Error('thrown');
  });
  const third = queue.run('a', () => 'third');
  await Promise.resolve();
  assert.deepEqual(started, []);
  gate.resolve('first');
  assert.equal(await first, 'first');
  await assert.rejects(second, /thrown/);
  assert.equal(await third, 'third');
  assert.equal(await queue.run('a', () => 'later'), 'later');
});
