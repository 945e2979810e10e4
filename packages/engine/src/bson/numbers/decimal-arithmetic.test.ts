import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128 } from 'bson';
import {
  divideDecimals,
  multiplyDecimals,
  quantize,
  remainderOfDecimals,
  squareRoot,
} from './decimal-arithmetic.ts';
import { type Decimal, decodeDecimal, encodeDecimal } from './decimal128.ts';

const dec = (text: string): Decimal => decodeDecimal(Decimal128.fromString(text).bytes, 0);
const text = (value: Decimal) => new Decimal128(encodeDecimal(value)).toString();

type Operation = (a: Decimal, b: Decimal) => Decimal;

const cases: ReadonlyArray<readonly [Operation, string, string, string]> = [
  [multiplyDecimals, '1.10', '2.0', '2.200'],
  [multiplyDecimals, '-3', '0', '-0'],
  [multiplyDecimals, 'Infinity', '0', 'NaN'],
  [multiplyDecimals, '9E+6144', '10', 'Infinity'],
  [divideDecimals, '6', '3', '2'],
  [divideDecimals, '1', '8', '0.125'],
  [divideDecimals, '2', '3', '0.6666666666666666666666666666666667'],
  [divideDecimals, '1', '0', 'Infinity'],
  [divideDecimals, '0', '0', 'NaN'],
  [divideDecimals, '1', 'Infinity', '0E-6176'],
  [remainderOfDecimals, '-7.5', '2', '-1.5'],
  [remainderOfDecimals, '5', 'Infinity', '5'],
];

test('keeps the exponents of products, quotients and remainders that IEEE 754 prescribes', () => {
  for (const [operation, a, b, expected] of cases) {
    assert.equal(text(operation(dec(a), dec(b))), expected, `${operation.name} ${a} ${b}`);
  }
});

test('quantizes by rounding or padding, to NaN beyond 34 digits', () => {
  assert.equal(text(quantize(dec('2.5'), 0, 'halfEven')), '2');
  assert.equal(text(quantize(dec('-2.1'), 0, 'floor')), '-3');
  assert.equal(text(quantize(dec('-2.9'), 0, 'ceiling')), '-2');
  assert.equal(text(quantize(dec('1.1'), -3, 'down')), '1.100');
  assert.equal(text(quantize(dec('1E+34'), 0, 'down')), 'NaN');
});

test('computes exact square roots if there are any', () => {
  assert.equal(text(squareRoot(dec('6.25'))), '2.5');
  assert.equal(text(squareRoot(dec('2'))), '1.414213562373095048801688724209698');
  assert.equal(text(squareRoot(dec('-1'))), 'NaN');
});
