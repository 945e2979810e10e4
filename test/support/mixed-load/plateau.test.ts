import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthOfSecondHalf, type Sample } from './plateau.ts';

const samples = (of: (second: number) => number): Sample[] =>
  Array.from({ length: 101 }, (_, second) => [second, of(second)]);

test('memory that has reached its plateau does not grow in the second half, whatever it did in the first', () => {
  assert.equal(growthOfSecondHalf(samples((second) => Math.min(100 + 4 * second, 300))), 0);
});

test('steady growth is measured over the second half', () => {
  assert.ok(Math.abs(growthOfSecondHalf(samples((second) => 100 + 2 * second)) - 100) < 1e-6);
});

test('a single peak has little effect', () => {
  const growth = growthOfSecondHalf(samples((second) => (second === 80 ? 400 : 200)));
  assert.ok(Math.abs(growth) < 20, String(growth));
});
