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

test('numbers that are removed leave the others in order', () => {
  const few = fc.constantFrom(-1, -0, 0, 1);
  const number = fc.oneof(few, fc.double({ noNaN: true }));
  const numbers = fc.array(fc.tuple(number, fc.boolean()), { maxLength: 5_000, size: 'max' });
  const check = fc.property(numbers, (entries) => {
    const byValue = (a: number, b: number) => a - b;
    const sorted = new SortedNumbers(entries.map(([each]) => each).sort(byValue));
    for (const [each, isRemoved] of entries) if (isRemoved) sorted.remove(each);
    const expected = entries.flatMap(([each, isRemoved]) => (isRemoved ? [] : [each])).sort(byValue);
    assert.equal(sorted.length, expected.length);
    for (const [rank, each] of expected.entries()) assert.ok(sorted.at(rank) === each);
    assert.equal(sorted.at(expected.length), undefined);
  });
  fc.assert(check, { numRuns: 40, seed: 7 });
});

test('a number that is missing is not removed', () => {
  const sorted = new SortedNumbers([1, 3]);
  sorted.remove(2);
  sorted.remove(4);
  assert.deepEqual([sorted.length, sorted.at(0), sorted.at(1)], [2, 1, 3]);
});
