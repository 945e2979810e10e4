import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteCache } from './cache.ts';

/** Reads parts of 10 bytes with these keys. Returns the keys that were not cached. */
function made(cache: ByteCache, ...keys: string[]): string[] {
  const all: string[] = [];
  cache.begin();
  for (const key of keys) {
    const value = cache.get(key, () => {
      all.push(key);
      return { value: key, bytes: 10 };
    });
    assert.equal(value, key);
  }
  return all;
}

test('evicts the least recently used entry first', () => {
  const cache = new ByteCache(20);
  assert.deepEqual(made(cache, 'a'), ['a']);
  assert.deepEqual(made(cache, 'b'), ['b']);
  assert.deepEqual(made(cache, 'a'), []);
  assert.deepEqual(made(cache, 'c'), ['c']);
  assert.deepEqual(made(cache, 'a'), []);
  assert.deepEqual(made(cache, 'b'), ['b']);
});

test('a search larger than the cache keeps part of its data for the next search', () => {
  const cache = new ByteCache(25);
  assert.deepEqual(made(cache, 'a', 'b', 'c', 'd'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(made(cache, 'a', 'b', 'c', 'd'), ['c', 'd']);
  assert.deepEqual(made(cache, 'x', 'y'), ['x', 'y']);
  assert.deepEqual(made(cache, 'y', 'x'), []);
});
