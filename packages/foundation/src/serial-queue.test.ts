import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SerialQueue, SerialQueues } from './serial-queue.ts';

/** Returns work that records when it starts, and that ends when `end` is called. */
function recorded(started: string[], name: string) {
  const { promise, resolve } = Promise.withResolvers<string>();
  const work = () => {
    started.push(name);
    return promise;
  };
  return { work, end: () => resolve(name) };
}

test('a serial queue starts work when the work before it has ended', async () => {
  const started: string[] = [];
  const [first, second] = [recorded(started, 'first'), recorded(started, 'second')];
  const queue = new SerialQueue();
  const results = [queue.run(first.work), queue.run(second.work)];
  second.end();
  await Promise.resolve();
  assert.deepEqual(started, ['first']);
  assert.equal(queue.size, 2);
  first.end();
  assert.deepEqual(await Promise.all(results), ['first', 'second']);
  assert.deepEqual(started, ['first', 'second']);
  assert.equal(queue.size, 0);
});

test('work that fails does not stop the work after it', async () => {
  const queue = new SerialQueue();
  const thrown = queue.run(() => {
    throw new Error('thrown');
  });
  const rejected = queue.run(() => Promise.reject(new Error('rejected')));
  const last = queue.run(() => 'run');
  await assert.rejects(thrown, /thrown/);
  await assert.rejects(rejected, /rejected/);
  assert.equal(await last, 'run');
});

test('work of different keys runs in parallel, and a key is removed when its work has ended', async () => {
  const started: string[] = [];
  const [a1, a2, b] = [recorded(started, 'a1'), recorded(started, 'a2'), recorded(started, 'b')];
  const queues = new SerialQueues<string>();
  const results = [queues.run('a', a1.work), queues.run('a', a2.work), queues.run('b', b.work)];
  b.end();
  assert.equal(await results[2], 'b');
  assert.deepEqual(started, ['a1', 'b']);
  assert.equal(queues.size, 1);
  a1.end();
  a2.end();
  await Promise.all(results);
  assert.deepEqual(started, ['a1', 'b', 'a2']);
  assert.equal(queues.size, 0);
  await assert.rejects(
    queues.run('a', () => Promise.reject(new Error('failed'))),
    /failed/,
  );
  assert.equal(queues.size, 0);
});
