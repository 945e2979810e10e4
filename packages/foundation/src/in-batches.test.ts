import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inBatches } from './in-batches.ts';

test('a list is cut into batches, of which the last one may be smaller', () => {
  assert.deepEqual([...inBatches([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]]);
  assert.deepEqual(
    [...inBatches([1, 2, 3, 4], 2)],
    [
      [1, 2],
      [3, 4],
    ],
  );
  assert.deepEqual([...inBatches([1], 2)], [[1]]);
});

test('an empty list has no batches', () => {
  assert.deepEqual([...inBatches([], 2)], []);
});
