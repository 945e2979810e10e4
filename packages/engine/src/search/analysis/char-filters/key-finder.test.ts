import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollsOf } from '../../../bson/testing-turns.ts';
import { KeyFinder } from './key-finder.ts';

/** Returns the longest key at each position, by comparing the text with all keys. */
function expected(keys: readonly string[], text: string): ReadonlyArray<string | undefined> {
  return Array.from(text, (_, at) =>
    keys
      .filter((key) => text.startsWith(key, at))
      .toSorted((a, b) => b.length - a.length)
      .at(0),
  );
}

test('finds the longest key at each position of random texts', () => {
  let state = 1;
  const random = (most: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
  const letters = (count: number) => Array.from({ length: count }, () => 'abé\u{ffff}'[random(4)]).join('');
  for (let round = 0; round < 300; round++) {
    const keys = [...new Set(Array.from({ length: 1 + random(12) }, () => letters(1 + random(6))))];
    const text = letters(60);
    assert.deepEqual(new KeyFinder(keys).keysIn(text), expected(keys, text), JSON.stringify([keys, text]));
  }
});

test('counts its work while it prepares long keys', () => {
  const keys = Array.from({ length: 500 }, (_, i) => `${'abcdefghij'.repeat(49)}${i}`);
  assert.ok(pollsOf(() => new KeyFinder(keys)) > 50);
});
