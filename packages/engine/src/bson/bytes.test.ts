import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareBytes, compareSpans } from './bytes.ts';
import { pollsOf } from './testing-turns.ts';

test('long ranges compare like short ones', () => {
  for (const length of [1, 4_096, 4_097, 65_536, 70_000, 200_000]) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7);
    for (const place of [0, length >> 1, length - 1]) {
      const larger = bytes.slice();
      bytes[place] = 5;
      larger[place] = 250;
      assert.equal(compareBytes(bytes, larger), -1);
      assert.equal(compareBytes(larger, bytes), 1);
      assert.equal(compareBytes(bytes, bytes.slice()), 0);
    }
    assert.equal(compareBytes(bytes, bytes.subarray(0, length - 1)), 1);
    assert.equal(compareSpans(bytes, 0, length - 1, bytes, 0, length), -1);
    assert.equal(compareSpans(bytes, 1, length, bytes.subarray(1), 0, length - 1), 0);
  }
});

test('a long comparison lets other statements run', () => {
  const bytes = new Uint8Array(1 << 20);
  assert.ok(pollsOf(() => compareBytes(bytes, bytes.slice())) >= 8);
});
