import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, Int32, Long } from 'bson';
import fc from 'fast-check';
import { numbers, valueFrom, values } from '../language/testing/values.ts';
import { compareBytes } from './bytes.ts';
import { compareValues } from './compare.ts';
import { type Direction, encodeCompoundKey, encodeKey } from './keys.ts';
import type { Value } from './value.ts';

function assertSameOrder(a: Value, b: Value): void {
  assert.equal(compareBytes(encodeKey(a), encodeKey(b)), compareValues(a, b));
}

test('orders the keys of any two values as the values', () => {
  fc.assert(
    fc.property(values, values, (a, b) => assertSameOrder(valueFrom(a), valueFrom(b))),
    { numRuns: 2000 },
  );
});

test('orders the keys of any two numbers as the numbers, across types', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => assertSameOrder(valueFrom(a), valueFrom(b))),
    { numRuns: 3000 },
  );
});

test('encodes a number to the same key whatever its type', () => {
  const keys = [new Int32(7), new Double(7), Long.fromNumber(7), Decimal128.fromString('7.00')].map(
    (number) => Buffer.from(encodeKey(valueFrom(number))).toString('hex'),
  );
  assert.equal(new Set(keys).size, 1);
});

test('compares compound keys component by component, each in its direction', () => {
  const pair = fc.tuple(values, values);
  const directions = fc.tuple(fc.constantFrom<Direction>(1, -1), fc.constantFrom<Direction>(1, -1));
  fc.assert(
    fc.property(pair, pair, directions, (left, right, dirs) => {
      const a = left.map(valueFrom) as [Value, Value];
      const b = right.map(valueFrom) as [Value, Value];
      const expected = dirs[0] * compareValues(a[0], b[0]) || dirs[1] * compareValues(a[1], b[1]) || 0;
      assert.equal(compareBytes(encodeCompoundKey(a, dirs), encodeCompoundKey(b, dirs)), expected);
    }),
    { numRuns: 1000 },
  );
});

test('encodes a missing value as null', () => {
  assert.deepEqual(encodeCompoundKey([undefined], [1]), encodeKey(valueFrom(null)));
});
