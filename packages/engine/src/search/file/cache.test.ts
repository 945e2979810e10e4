import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteCache } from './cache.ts';

/** Reads parts of 10 bytes with these keys in one search. Returns the keys that were not cached. */
function made(cache: ByteCache, ...keys: string[]): string[] {
  return madeOf(cache, 1, ...keys);
}

function madeOf(cache: ByteCache, segment: number, ...keys: string[]): string[] {
  const all: string[] = [];
  cache.begin();
  for (const key of keys) {
    const value = cache.get(segment, key, () => {
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

test('releases the parts of segments that are no longer in the file', () => {
  const cache = new ByteCache(100);
  madeOf(cache, 1, 'a', 'b');
  madeOf(cache, 2, 'a');
  cache.removeSegments(new Set([1]));
  assert.equal(cache.bytes, 10);
  assert.deepEqual(madeOf(cache, 2, 'a'), []);
  assert.deepEqual(madeOf(cache, 1, 'a', 'b'), ['a', 'b']);
});

test('releases the parts that no search has used since the last release', () => {
  const cache = new ByteCache(100);
  made(cache, 'a', 'b');
  cache.releaseUnused();
  made(cache, 'b');
  assert.equal(cache.bytes, 20);
  cache.releaseUnused();
  assert.equal(cache.bytes, 10);
  assert.deepEqual(made(cache, 'b'), []);
  cache.releaseUnused();
  cache.releaseUnused();
  assert.equal(cache.bytes, 0);
});
