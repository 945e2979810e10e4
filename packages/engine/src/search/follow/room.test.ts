import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DiskSpace } from './room.ts';

const GB = 2 ** 30;

/** Returns the result for each used share of a disk of this size. */
function found(kind: 'own' | 'shared', total: number, ...used: number[]): string[] {
  let share = 0;
  const room = new DiskSpace(kind, () => ({ total, free: total * (1 - share) }));
  return used.map((one) => {
    share = one;
    return room.look();
  });
}

test('updates stop when the disk is nearly full, and resume when there is clearly more space', () => {
  assert.deepEqual(found('shared', 10 * GB, 0.9, 0.92, 0.965, 0.95, 0.93, 0.95, 0.9), [
    ...['enough', 'little', 'none', 'none', 'little', 'little', 'enough'],
  ]);
  assert.deepEqual(found('own', 10 * GB, 0.84, 0.86, 0.91, 0.86, 0.84), [
    ...['enough', 'little', 'none', 'none', 'enough'],
  ]);
});

test('a large disk has space while gigabytes are free', () => {
  assert.deepEqual(found('shared', 1000 * GB, 0.99, 0.997, 0.9985, 0.997), [
    ...['enough', 'little', 'none', 'little'],
  ]);
});
