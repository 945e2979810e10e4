import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isZoomed, rangeOf } from './chart-range.ts';

test('the axis shows all times, but at least an hour if they are within a minute', () => {
  assert.deepEqual(rangeOf(1000, 2000), [1000, 2000]);
  assert.deepEqual(rangeOf(9990, 10_000), [6400, 10_000]);
});

test('an axis is zoomed if it shows only a part of the times', () => {
  const times = [1000, 1500, 2000];
  assert.equal(isZoomed(times, { min: 1000, max: 2000 }), false);
  assert.equal(isZoomed(times, { min: 1200, max: 1700 }), true);
  assert.equal(isZoomed(times, { min: 1000, max: 1500 }), true);
  assert.equal(isZoomed([10_000], { min: 6400, max: 10_000 }), false);
  assert.equal(isZoomed([], { min: 1000, max: 1500 }), false);
  assert.equal(isZoomed(times, {}), false);
  assert.equal(isZoomed(times), false);
});
