import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { HeldMemory } from './held-memory.ts';

const MB = 1_000_000;

suite('memory that connections hold', () => {
  const closed: string[] = [];
  const connection = (name: string) => ({ closeWith: () => void closed.push(name) });

  test('is limited by closing the connection that holds most', () => {
    const held = new HeldMemory({ bytes: 0 });
    const [small, large, last] = [connection('small'), connection('large'), connection('last')];
    held.set(small, 200 * MB);
    held.set(large, 600 * MB);
    held.set(last, 260 * MB);
    assert.deepEqual(closed, []);
    held.set(last, 280 * MB);
    assert.deepEqual(closed, ['large']);
    held.set(last, 800 * MB);
    assert.deepEqual(closed, ['large']);
  });

  test('counts bytes no longer when a client has read them', () => {
    closed.length = 0;
    const held = new HeldMemory({ bytes: 0 });
    const slow = connection('slow');
    for (let i = 0; i < 100; i++) {
      held.set(slow, 48 * MB);
      held.set(slow, 0);
    }
    held.set(connection('other'), 1_000 * MB);
    assert.deepEqual(closed, []);
  });

  test('is reported when it is large, so that its memory is returned later', () => {
    let reports = 0;
    const held = new HeldMemory({ bytes: 0 }, () => reports++);
    held.set(connection('small'), 1_000);
    assert.equal(reports, 0);
    held.set(connection('large'), 2 * MB);
    assert.equal(reports, 1);
  });

  test('includes the requests at the query thread, which closing a connection does not release', () => {
    closed.length = 0;
    const forwarded = { bytes: 500 * MB };
    const held = new HeldMemory(forwarded);
    held.set(connection('idle'), 1);
    const [first, second] = [connection('first'), connection('second')];
    held.set(first, 300 * MB);
    held.set(second, 280 * MB);
    assert.deepEqual(closed, ['first']);
    forwarded.bytes = 2_000 * MB;
    held.set(second, 281 * MB);
    assert.deepEqual(closed, ['first', 'second', 'idle']);
  });
});
