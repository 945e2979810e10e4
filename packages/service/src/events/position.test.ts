import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePosition, positionText, rangesBetween, sizeOf } from './position.ts';

const at = (...numbers: readonly number[]) => new Map(numbers.map((number, shard) => [shard, number]));

test('a position is read as it was written', () => {
  for (const position of [at(), at(0), at(35), at(1, 0, 36, 46_656)])
    assert.deepEqual(parsePosition(positionText(position)), position);
  assert.equal(positionText(at(1, 0, 36)), '1-0-10');
  // Shards without events may be missing.
  assert.equal(positionText(new Map([[2, 7]])), '0-0-7');
});

test('other texts are not positions', () => {
  for (const text of ['-', '1-', '1.2', 'A', ' 1', '1'.repeat(11), Array(80).fill('1').join('-')])
    assert.equal(parsePosition(text), undefined);
});

test('the events between two positions are those of each shard after the first number', () => {
  const ranges = rangesBetween(at(3, 5), at(4, 5, 2));
  assert.deepEqual(ranges, [
    { shard: 0, after: 3, through: 4 },
    { shard: 2, after: 0, through: 2 },
  ]);
  assert.equal(sizeOf(ranges ?? []), 3);
  assert.deepEqual(rangesBetween(at(), at()), []);
  assert.equal(rangesBetween(at(3, 5), at(9, 4)), undefined);
  assert.equal(rangesBetween(at(3, 5), at(9)), undefined);
});
