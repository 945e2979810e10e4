import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedCache } from './bounded-cache.ts';

test('a cache creates each value once, even undefined', () => {
  const cache = new BoundedCache<string, number | undefined>({ entries: 2 });
  const made: string[] = [];
  const make = (key: string) => {
    made.push(key);
    return key === 'none' ? undefined : key.length;
  };
  for (const key of ['one', 'none', 'one', 'none']) cache.of(key, make);
  assert.deepEqual(made, ['one', 'none']);
  assert.throws(() => cache.of('bad', () => assert.fail('no')));
  assert.equal(
    cache.of('bad', () => 1),
    1,
  );
});

test('a cache evicts the least recently used entry beyond its number of entries', () => {
  const evicted: string[] = [];
  const cache = new BoundedCache<string, number>({ entries: 3, onEvict: (_, key) => void evicted.push(key) });
  for (const [at, key] of ['a', 'b', 'c'].entries()) cache.set(key, at);
  assert.equal(cache.get('a'), 0);
  cache.of('b', () => assert.fail('b is cached'));
  cache.set('d', 3);
  assert.deepEqual([...cache.values()], [0, 1, 3]);
  cache.set('a', 4);
  cache.set('e', 5);
  assert.deepEqual([...cache.values()], [3, 4, 5]);
  assert.deepEqual(evicted, ['c', 'b']);
  assert.equal(cache.get('b'), undefined);
});

test('a cache evicts entries beyond its weight, which excludes replaced and deleted entries', () => {
  const cache = new BoundedCache<string, string>({ weight: 6, weigh: (value) => value.length });
  cache.set('a', 'four');
  cache.set('a', 'xx');
  cache.set('b', 'four');
  assert.deepEqual([...cache.values()], ['xx', 'four']);
  cache.delete('b');
  cache.set('c', 'yyy');
  assert.deepEqual([...cache.values()], ['xx', 'yyy']);
  cache.set('d', 'zz');
  assert.deepEqual([...cache.values()], ['yyy', 'zz']);
});

test('an entry that alone exceeds a limit is not kept, and no other entry is evicted', () => {
  const evicted: string[] = [];
  const cache = new BoundedCache<string, string>({
    weight: 6,
    weigh: (value) => value.length,
    longestKey: 3,
    onEvict: (value) => void evicted.push(value),
  });
  assert.equal(cache.set('a', 'xx'), true);
  assert.equal(cache.set('b', 'four'), true);
  assert.equal(cache.set('c', 'too long'), false);
  assert.equal(
    cache.of('d', () => 'too long'),
    'too long',
  );
  assert.equal(cache.set('long', 'x'), false);
  assert.deepEqual([[...cache.values()], evicted], [['xx', 'four'], []]);
  // Even if the cache does not keep a new value, it removes the old value of the key, because the old value is
  // outdated.
  assert.equal(cache.set('a', 'too long'), false);
  assert.deepEqual([cache.get('a'), evicted], [undefined, []]);
  const none = new BoundedCache<string, string>({
    entries: 0,
    onEvict: () => assert.fail('nothing was kept'),
  });
  assert.equal(none.set('a', 'x'), false);
});

test('deleting and clearing call no listener and leave a usable cache', () => {
  const cache = new BoundedCache<string, number>({
    entries: 3,
    onEvict: () => assert.fail('nothing was evicted'),
  });
  for (const key of ['a', 'b', 'c']) cache.set(key, 1);
  for (const key of ['b', 'c', 'a', 'gone']) cache.delete(key);
  assert.equal(cache.size, 0);
  cache.set('a', 1);
  cache.clear();
  cache.set('b', 2);
  assert.deepEqual([...cache.values()], [2]);
});

test('a cache does not keep entries with long keys', () => {
  const cache = new BoundedCache<string, number>({ entries: 5 });
  const long = 'k'.repeat(1_025);
  assert.equal(
    cache.of(long, () => 1),
    1,
  );
  cache.set('k'.repeat(1_024), 2);
  assert.equal(cache.size, 1);
  const other = new BoundedCache<string, number>({ entries: 5, longestKey: 2_000 });
  other.set(long, 1);
  assert.equal(other.get(long), 1);
});
