import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { countValues } from './count-values.ts';

const scalars = [
  new Double(1.5),
  'text',
  new Binary(Buffer.from('bytes')),
  new ObjectId(),
  true,
  new Date(),
  null,
  new BSONRegExp('a+', 'i'),
  new Code('return 1'),
  new BSONSymbol('symbol'),
  new Int32(1),
  new Timestamp({ t: 1, i: 2 }),
  Long.fromNumber(5),
  Decimal128.fromString('1.5'),
  new MinKey(),
  new MaxKey(),
];

test('values of each type are counted at all levels', () => {
  for (const value of scalars) assert.equal(countValues(serialize({ value, last: 1 }), 100), 2);
  const scoped = new Code('return a', { a: 1, b: { c: 2 } });
  assert.equal(countValues(serialize({ scoped, last: 1 }), 100), 5);
  const nested = { list: scalars, inner: { scalars, empty: {} }, last: [] };
  assert.equal(countValues(serialize(nested), 100), 5 + 2 * scalars.length);
});

test('counting ends after the limit, and at an error', () => {
  const bytes = serialize({ list: Array(200).fill(1) });
  assert.equal(countValues(bytes, 10), 11);
  for (let length = 0; length < 200; length++)
    assert.ok(countValues(bytes.subarray(0, length), 5_000) <= 200);
  for (let at = 4; at < bytes.length; at++) {
    for (const byte of [0, 2, 5, 15, 99, 255]) {
      const broken = Buffer.from(bytes);
      broken[at] = byte;
      assert.ok(countValues(broken, 5_000) <= bytes.length);
    }
  }
});
