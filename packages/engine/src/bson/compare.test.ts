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
  Timestamp,
} from 'bson';
import fc from 'fast-check';
import { dbPointer, numbers, undefinedValue, valueFrom, values } from '../language/testing/values.ts';
import { compareValues } from './compare.ts';
import { Value } from './value.ts';

const dec = (text: string) => Decimal128.fromString(text);

/** All values in the server's order. Values in the same row are equal. */
const ordered: unknown[][] = [
  [new MinKey()],
  [undefinedValue],
  [null],
  [new Double(Number.NaN), dec('NaN')],
  [new Double(Number.NEGATIVE_INFINITY), dec('-Infinity')],
  [dec('-1E+400')],
  [new Double(-Number.MAX_VALUE)],
  [Long.MIN_VALUE, new Double(-(2 ** 63)), dec('-9223372036854775808')],
  [dec('-9223372036854775807.5')],
  [new Int32(-1), new Double(-1), Long.fromNumber(-1), dec('-1.0')],
  [dec('-1E-400')],
  [new Int32(0), new Double(0), new Double(-0), Long.ZERO, dec('0'), dec('-0'), dec('0E+10')],
  [dec('1E-400')],
  [new Double(5e-324)],
  [dec('0.1')],
  [new Double(0.1)],
  [dec('0.1000000000000000055511151231257828')],
  [new Int32(1), new Double(1), Long.ONE, dec('1'), dec('1.000')],
  [Long.fromString('9007199254740992'), new Double(2 ** 53), dec('9007199254740992')],
  [Long.fromString('9007199254740993'), dec('9007199254740993')],
  [new Double(2 ** 53 + 2)],
  [Long.MAX_VALUE, dec('9223372036854775807')],
  [new Double(2 ** 63), dec('9223372036854775808')],
  [new Double(Number.MAX_VALUE)],
  [dec('1E+309')],
  [new Double(Number.POSITIVE_INFINITY), dec('Infinity')],
  ['', new BSONSymbol('')],
  ['B'],
  ['a', new BSONSymbol('a')],
  ['a\0'],
  ['aa'],
  ['\uffff'],
  ['\u{10000}'],
  [{}],
  [{ a: 1 }, { a: new Double(1) }],
  [{ a: 1, b: 1 }],
  [{ a: 2 }],
  [{ b: 1 }],
  [{ a: 'x' }],
  [[]],
  [[1]],
  [[1, 1]],
  [[2]],
  [['a']],
  [new Binary(new Uint8Array(0))],
  [new Binary(Uint8Array.of(9), 0)],
  [new Binary(Uint8Array.of(1), 128)],
  [new Binary(Uint8Array.of(0, 0), 0)],
  [new ObjectId('000000000000000000000001')],
  [new ObjectId('ff0000000000000000000000')],
  [false],
  [true],
  [new Date(-1)],
  [new Date(0)],
  [new Date(1)],
  [new Timestamp({ t: 1, i: 2 })],
  [new Timestamp({ t: 2, i: 1 })],
  [new Timestamp({ t: 0xffffffff, i: 1 })],
  [new BSONRegExp('a', '')],
  [new BSONRegExp('a', 'i')],
  [new BSONRegExp('b', '')],
  [dbPointer('b', '000000000000000000000001')],
  [dbPointer('aa', '000000000000000000000001')],
  [new Code('a')],
  [new Code('b')],
  [new Code('a', { x: 1 })],
  [new Code('a', { x: 2 })],
  [new Code('b', {})],
  [new MaxKey()],
];

test('orders values of every type as the server does', () => {
  const rows = ordered.map((row) => row.map((plain) => (plain instanceof Value ? plain : valueFrom(plain))));
  for (const [i, left] of rows.entries()) {
    for (const [j, right] of rows.entries()) {
      for (const a of left) {
        for (const b of right) {
          assert.equal(compareValues(a, b), Math.sign(i - j), `row ${i} against row ${j}`);
        }
      }
    }
  }
});

test('orders values antisymmetrically and transitively', () => {
  const triples = fc.oneof(fc.tuple(values, values, values), fc.tuple(numbers, numbers, numbers));
  fc.assert(
    fc.property(triples, (plains) => {
      const [a, b, c] = plains.map(valueFrom) as [Value, Value, Value];
      assert.equal(compareValues(a, b), -compareValues(b, a) + 0);
      if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) assert.ok(compareValues(a, c) <= 0);
    }),
    { numRuns: 500 },
  );
});
