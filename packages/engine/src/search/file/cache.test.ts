import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteCache } from './cache.ts';

/** Which of some parts of 10 bytes had to be made when they were asked for. */
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

test('what was used least recently goes first', () => {
  const cache = new ByteCache(20);
  assert.deepEqual(made(cache, 'a'), ['a']);
  assert.deepEqual(made(cache, 'b'), ['b']);
  assert.deepEqual(made(cache, 'a'), []);
  assert.deepEqual(made(cache, 'c'), ['c']);
  assert.deepEqual(made(cache, 'a'), []);
  assert.deepEqual(made(cache, 'b'), ['b']);
});

test('a search that reads more than there is room for keeps a part of it for the next one', () => {
  const cache = new ByteCache(25);
  assert.deepEqual(made(cache, 'a', 'b', 'c', 'd'), ['a', 'b', 'c', 'd']);
  assert.deepEqual(made(cache, 'a', 'b', 'c', 'd'), ['c', 'd']);
  assert.deepEqual(made(cache, 'x', 'y'), ['x', 'y']);
  assert.deepEqual(made(cache, 'y', 'x'), []);
});
