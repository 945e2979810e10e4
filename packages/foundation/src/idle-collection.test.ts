import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbage, collectionOfThread, IDLE_MS, IdleCollection } from './idle-collection.ts';
import { testClock } from './testing.ts';

test('a thread collects its garbage once when it becomes idle, and again after it was used', () => {
  const clock = testClock();
  const collected: number[] = [];
  const started = clock.monotonic();
  const collection = new IdleCollection({
    machine: clock,
    idleMs: 1_000,
    collect: () => collected.push(clock.monotonic() - started),
  });
  clock.advance(10_000);
  assert.deepEqual(collected, []);
  collection.touch();
  clock.advance(900);
  collection.touch();
  clock.advance(10_000);
  // The first round finds that the thread was used, and the next one that it was not.
  assert.deepEqual(collected, [12_000]);
  collection.touch();
  clock.advance(10_000);
  assert.equal(collected.length, 2);
  collection.stop();
  collection.touch();
  clock.advance(10_000);
  assert.equal(collected.length, 2);
});

test('the garbage of the start is collected earlier, unless the thread is used before', () => {
  const clock = testClock();
  const collected: number[] = [];
  const started = clock.monotonic();
  const options = { machine: clock, collect: () => collected.push(clock.monotonic() - started) };
  const unused = new IdleCollection({ ...options, idleMs: 10_000 });
  unused.begin(1_000);
  clock.advance(60_000);
  assert.deepEqual(collected, [1_000]);
  unused.stop();
  const used = new IdleCollection({ ...options, idleMs: 10_000 });
  used.begin(1_000);
  used.touch();
  clock.advance(60_000);
  assert.deepEqual(collected, [1_000, 71_000]);
  used.stop();
});

test('a collection that is due waits while the thread is used otherwise', () => {
  const clock = testClock();
  let collected = 0;
  const collection = new IdleCollection({ machine: clock, idleMs: 1_000, collect: () => collected++ });
  collection.postpone();
  clock.advance(10_000);
  collection.touch();
  for (let i = 0; i < 20; i++) {
    clock.advance(500);
    collection.postpone();
  }
  assert.equal(collected, 0);
  clock.advance(10_000);
  assert.equal(collected, 1);
  collection.postpone();
  clock.advance(10_000);
  assert.equal(collected, 1);
  collection.stop();
});

test('a thread that is used but hardly works collects its garbage once', () => {
  const clock = testClock();
  const [collected, started] = [[] as number[], clock.monotonic()];
  let worked = 0;
  const collection = new IdleCollection({
    machine: clock,
    idleMs: 1_000,
    workedMs: () => worked,
    collect: () => {
      collected.push(clock.monotonic() - started);
      worked += 100;
    },
  });
  const use = (seconds: number, workMs: number) => {
    for (let i = 0; i < 4 * seconds; i++) {
      collection.touch();
      worked += workMs / 4;
      clock.advance(250);
    }
  };
  use(5, 500);
  assert.deepEqual(collected, []);
  use(50, 2);
  assert.deepEqual(collected, [6_000]);
  use(1, 500);
  use(50, 2);
  assert.equal(collected.length, 2);
  clock.advance(10_000);
  assert.equal(collected.length, 3);
  collection.stop();
});

test('a thread collects its garbage although it is used for short pieces of work', () => {
  const clock = testClock();
  let [collected, worked] = [0, 0];
  const collection = collectionOfThread(
    clock,
    () => collected++,
    () => worked,
  );
  worked += IDLE_MS / 2;
  for (let i = 0; i < 12; i++) {
    collection.touch();
    clock.advance(IDLE_MS / 4);
  }
  assert.equal(collected, 1);
  collection.stop();
});

test('what nothing refers to is collected', () => {
  const reference = new WeakRef(new Array(1_000).fill(0));
  return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
    collectGarbage();
    assert.equal(reference.deref(), undefined);
  });
});
