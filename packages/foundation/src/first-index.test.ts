import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstIndex } from './first-index.ts';

test('returns the index of the first wanted entry', () => {
  const numbers = [1, 3, 3, 7, 9];
  for (let bound = 0; bound <= 10; bound++) {
    const first = numbers.findIndex((number) => number >= bound);
    assert.equal(
      firstIndex(numbers, (number) => number >= bound),
      first === -1 ? numbers.length : first,
      `${bound}`,
    );
  }
});

test('returns 0 if there are no entries', () => {
  assert.equal(
    firstIndex(new Float64Array(), () => true),
    0,
  );
});
