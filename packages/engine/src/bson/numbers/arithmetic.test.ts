import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128, Double, Int32, Long } from 'bson';
import { valueFrom } from '../../language/testing/values.ts';
import { addNumbers } from './arithmetic.ts';
import { NumberSum } from './sum.ts';

const long = (text: string) => Long.fromString(text);
const dec = (text: string) => Decimal128.fromString(text);
const INT64_MAX = '9223372036854775807';

const sums: ReadonlyArray<readonly [unknown, unknown, unknown]> = [
  [new Int32(2), new Int32(3), new Int32(5)],
  [new Int32(2147483647), new Int32(1), long('2147483648')],
  [new Int32(-2147483648), new Int32(-1), long('-2147483649')],
  [new Int32(2), long('3'), long('5')],
  [new Int32(2), new Double(0.5), new Double(2.5)],
  [long(INT64_MAX), new Double(1), new Double(2 ** 63)],
  [new Double(1), new Double(2), new Double(3)],
  [new Int32(2), dec('0.5'), dec('2.5')],
  [long(INT64_MAX), dec('1'), dec('9223372036854775808')],
  [new Double(10.5), dec('2.5'), dec('13.0000000000000')],
  [dec('1.10'), dec('1.1'), dec('2.20')],
];

test('adds numbers in the wider of their types', () => {
  for (const [a, b, sum] of sums) {
    assert.ok(addNumbers(valueFrom(a), valueFrom(b))?.identical(valueFrom(sum)), `${a} + ${b}`);
    assert.ok(addNumbers(valueFrom(b), valueFrom(a))?.identical(valueFrom(sum)), `${b} + ${a}`);
  }
});

test('has no result if a sum of whole numbers exceeds int64', () => {
  assert.equal(addNumbers(valueFrom(long(INT64_MAX)), valueFrom(new Int32(1))), undefined);
});

function sumOf(...numbers: unknown[]) {
  const sum = new NumberSum();
  for (const number of numbers) sum.add(valueFrom(number));
  return sum.result();
}

/** A decimal NaN with a negative sign. */
const negativeNaN = new Decimal128(Uint8Array.from({ length: 16 }, (_, i) => (i === 15 ? 0xfc : 0)));

const totals: ReadonlyArray<readonly [unknown[], unknown]> = [
  [[], new Int32(0)],
  [[new Int32(1), new Int32(2)], new Int32(3)],
  [[new Int32(2147483647), new Int32(1)], long('2147483648')],
  [[new Int32(1), long('2')], long('3')],
  [[long(INT64_MAX), long(INT64_MAX)], new Double(2 ** 64)],
  [[long(INT64_MAX), new Int32(1), new Int32(-1)], long(INT64_MAX)],
  [[new Int32(1), new Double(0.5)], new Double(1.5)],
  [[new Double(0.1), new Double(0.2), new Double(0.3)], new Double(0.6)],
  [[new Double(1e100), new Double(1), new Double(-1e100)], new Double(1)],
  [[long('9007199254740993'), new Double(-9007199254740992)], new Double(1)],
  [[new Double(Number.POSITIVE_INFINITY), new Int32(1)], new Double(Number.POSITIVE_INFINITY)],
  [[new Double(Number.POSITIVE_INFINITY), new Double(Number.NEGATIVE_INFINITY)], new Double(Number.NaN)],
  [[new Int32(1), dec('0.5')], dec('1.5')],
  [[dec('0.1'), dec('0.2')], dec('0.3')],
  [[new Double(1), negativeNaN], negativeNaN],
  [[dec('NaN'), negativeNaN], dec('NaN')],
];

test('keeps digits in a running sum that single additions would lose', () => {
  for (const [numbers, total] of totals) {
    assert.ok(sumOf(...numbers).identical(valueFrom(total)), numbers.join(' + '));
  }
});

test('continues a sum after its result was read', () => {
  const sum = new NumberSum();
  sum.add(valueFrom(new Double(0.5)));
  sum.result();
  sum.add(valueFrom(new Int32(1)));
  assert.ok(sum.result().identical(valueFrom(new Double(1.5))));
});
