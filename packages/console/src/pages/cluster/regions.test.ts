import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type RegionNodes, withoutRegion, withRegion } from './regions.ts';

const regions = (...counts: readonly number[]): readonly RegionNodes[] =>
  counts.map((count, index) => ({ region: `R${index}`, electable: String(count) }));
const added = (...counts: readonly number[]) =>
  withRegion(regions(...counts), 'new').map(({ electable }) => Number(electable));
const removed = (at: number, ...counts: readonly number[]) =>
  withoutRegion(regions(...counts), at).map(({ electable }) => Number(electable));

describe('the regions of the cluster form', () => {
  test('an added region shares 5 or 7 electable nodes with the others', () => {
    assert.deepEqual(added(3), [3, 2]);
    assert.deepEqual(added(3, 2), [2, 2, 1]);
    assert.deepEqual(added(2, 2, 1), [2, 1, 1, 1]);
    assert.deepEqual(added(1, 1, 1, 1, 1), [2, 1, 1, 1, 1, 1]);
    assert.deepEqual(added(7), [4, 3]);
    assert.deepEqual(added(1, 1, 1, 1, 1, 1, 1), [1, 1, 1, 1, 1, 1, 1, 0]);
  });

  test('numbers that a person has chosen stay, and the added region completes the total', () => {
    assert.deepEqual(added(2), [2, 1]);
    assert.deepEqual(added(3, 1), [3, 1, 1]);
    assert.deepEqual(added(5, 1), [5, 1, 1]);
    assert.deepEqual(added(6, 1), [6, 1, 0]);
  });

  test('the other regions share the nodes of a removed region, unless a person has chosen their numbers', () => {
    assert.deepEqual(removed(1, 3, 2), [3]);
    assert.deepEqual(removed(2, 2, 2, 1), [3, 2]);
    assert.deepEqual(removed(1, 3, 1, 1), [3, 1]);
  });
});
