import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cosineOf, sineOf } from './trigonometry.ts';

describe('sine and cosine', () => {
  test('are rounded to the nearest number', () => {
    assert.equal(cosineOf(0.1), 0.9950041652780258);
    assert.equal(sineOf(-1.28), -0.9580158602892249);
    assert.equal(sineOf(Math.PI), 1.2246467991473532e-16);
    assert.equal(cosineOf(Math.PI / 2), 6.123233995736766e-17);
    assert.equal(sineOf(1e-300), 1e-300);
  });

  test('are close to those of the platform in every quadrant', () => {
    for (let x = -20; x < 20; x += 0.0137) {
      assert.ok(Math.abs(sineOf(x) - Math.sin(x)) < 2.3e-16);
      assert.ok(Math.abs(cosineOf(x) - Math.cos(x)) < 2.3e-16);
    }
  });

  test('have values for special numbers', () => {
    assert.ok(Object.is(sineOf(-0), -0));
    assert.equal(cosineOf(-0), 1);
    assert.ok(Number.isNaN(sineOf(Number.NaN)));
    assert.equal(cosineOf(1e22), Math.cos(1e22));
  });
});
