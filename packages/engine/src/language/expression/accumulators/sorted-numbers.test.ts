import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SortedNumbers } from './sorted-numbers.ts';

test('numbers that are inserted one by one have the same ranks as sorted numbers', () => {
  const few = fc.constantFrom(-1, -0, 0, 1, Number.POSITIVE_INFINITY);
  const numbers = fc.array(fc.oneof(few, fc.double({ noNaN: true })), { maxLength: 5_000, size: 'max' });
  const check = fc.property(numbers, numbers, (first, others) => {
    const sorted = new SortedNumbers(first.toSorted((a, b) => a - b));
    for (const number of others) sorted.insert(number);
    const expected = [...first.toSorted((a, b) => a - b), ...others].sort((a, b) => a - b);
    assert.equal(sorted.length, expected.length);
    assert.deepEqual(
      expected.map((_, rank) => sorted.at(rank)),
      expected,
    );
    assert.equal(sorted.at(expected.length), undefined);
  });
  fc.assert(check, { numRuns: 40, seed: 7 });
});
