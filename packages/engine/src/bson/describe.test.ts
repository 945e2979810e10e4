import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Binary, BSONRegExp, Decimal128, Double, Long, MaxKey, MinKey, ObjectId, Timestamp } from 'bson';
import { raw } from '../language/testing/documents.ts';
import { valueFrom } from '../language/testing/values.ts';
import { describe, describeDocument } from './describe.ts';

const cases: ReadonlyArray<readonly [unknown, string]> = [
  [1, '1'],
  [new Double(1), '1.0'],
  [1.5, '1.5'],
  [Number.NaN, 'nan.0'],
  [Number.NEGATIVE_INFINITY, '-inf.0'],
  [Long.fromNumber(7), '7'],
  [Decimal128.fromString('1.50'), '1.50'],
  ['a"b', '"a\\"b"'],
  [{}, '{}'],
  [{ a: 1, b: { c: 'x' } }, '{ a: 1, b: { c: "x" } }'],
  [[], '[]'],
  [[1, [2]], '[ 1, [ 2 ] ]'],
  [null, 'null'],
  [true, 'true'],
  [new ObjectId('0123456789abcdef01234567'), "ObjectId('0123456789abcdef01234567')"],
  [new Date(5), 'new Date(5)'],
  [new Timestamp({ t: 4000000000, i: 2 }), 'Timestamp(4000000000, 2)'],
  [new BSONRegExp('a', 'i'), '/a/i'],
  [new Binary(Uint8Array.of(1, 255), 4), 'BinData(4, 01FF)'],
  [new MinKey(), 'MinKey'],
  [new MaxKey(), 'MaxKey'],
];

test("describes values as the server's messages do", () => {
  for (const [value, expected] of cases) assert.equal(describe(valueFrom(value)), expected);
  assert.equal(describeDocument(raw({ _id: 1 })), '{ _id: 1 }');
});
