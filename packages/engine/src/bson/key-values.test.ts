import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary, Double, Int32, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import fc from 'fast-check';
import { valueFrom } from '../language/testing/values.ts';
import { bsonTypes } from './bson-types.ts';
import { KeyReader } from './key-values.ts';
import { type Direction, encodeCompoundKey } from './keys.ts';
import { double, type Value } from './value.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

/** Values that can be decoded from keys if the type of numbers is known. */
const restorable: fc.Arbitrary<{ value: Value; type: number }> = fc
  .oneof(
    fc.integer().map((value) => new Int32(value)),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
    fc.integer().map((value) => Long.fromNumber(value)),
    fc
      .double({ noNaN: true })
      .filter((value) => !Object.is(value, -0))
      .map((value) => new Double(value)),
    fc.string({ unit: fc.constantFrom('a', '\0', '\u{1f600}', 'ÿ') }),
    bytes(12).map((id) => new ObjectId(id)),
    fc.boolean(),
    fc.date({ noInvalidDate: true }),
    fc.tuple(fc.nat(), fc.integer({ min: 0, max: 0xffffffff })).map(([t, i]) => new Timestamp({ t, i })),
    fc
      .tuple(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(0, 2, 4, 5, 128))
      .map(([data, subtype]) => new Binary(data, subtype)),
    fc.constantFrom(null, new MinKey(), new MaxKey()),
  )
  .map(valueFrom)
  .map((value) => ({ value, type: value.type }));

test('restores values from keys', () => {
  const part = fc.tuple(restorable, fc.constantFrom<Direction>(1, -1));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const directions = parts.map(([, direction]) => direction);
      const reader = new KeyReader(
        encodeCompoundKey(
          parts.map(([{ value }]) => value),
          directions,
        ),
      );
      for (const [{ value, type }, direction] of parts) {
        assert.ok(reader.next(direction, type)?.identical(value));
      }
    }),
    { numRuns: 5000 },
  );
});

test('restores the limits of int64', () => {
  for (const number of [2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 62n, 0n]) {
    const value = valueFrom(Long.fromBigInt(number));
    assert.ok(new KeyReader(encodeCompoundKey([value], [1])).next(1, bsonTypes.long)?.identical(value));
  }
});

test('skips a number of unknown type', () => {
  const number = fc.oneof(
    fc.double().map((value) => new Double(value)),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
  );
  fc.assert(
    fc.property(number, fc.constantFrom<Direction>(1, -1), (one, direction) => {
      const reader = new KeyReader(encodeCompoundKey([valueFrom(one), valueFrom('x')], [direction, 1]));
      assert.equal(reader.next(direction, undefined), undefined);
      assert.ok(reader.next(1, undefined)?.identical(valueFrom('x')));
    }),
  );
});

test('does not restore values that keys do not determine', () => {
  for (const [value, lost] of [
    [double(Number.NaN), false],
    [valueFrom({ a: 1 }), true],
    [valueFrom([1]), true],
    [valueFrom(/x/), true],
  ] as const) {
    const reader = new KeyReader(encodeCompoundKey([value], [1]));
    assert.deepEqual([reader.next(1, bsonTypes.double), reader.lost], [undefined, lost]);
  }
});
