import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Decimal128 } from 'bson';
import fc from 'fast-check';
import { decimalOfDouble, exactDecimalOfDouble } from './decimal-of-double.ts';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  decimalToDouble,
  decimalToInteger,
  decodeDecimal,
  encodeDecimal,
  finite,
} from './decimal128.ts';

const decode = (text: string) => decodeDecimal(Decimal128.fromString(text).bytes, 0);
const text = (decimal: Decimal) => new Decimal128(encodeDecimal(decimal)).toString();

const finites = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 34n - 1n }), fc.integer({ min: -6176, max: 6111 }))
  .map(([negative, coefficient, exponent]) => finite(negative, coefficient, exponent));

test('round-trips every decimal', () => {
  fc.assert(
    fc.property(finites, (decimal) => assert.deepEqual(decodeDecimal(encodeDecimal(decimal), 0), decimal)),
  );
  for (const special of [
    'NaN',
    'Infinity',
    '-Infinity',
    '-0',
    '0E-6176',
    '9.999999999999999999999999999999999E+6144',
  ]) {
    assert.equal(text(decode(special)), new Decimal128(Decimal128.fromString(special).bytes).toString());
  }
});

test('reads a coefficient of more than 34 digits as zero', () => {
  const bytes = new Uint8Array(16).fill(0xff, 0, 14);
  bytes[14] = 0x41;
  bytes[15] = 0x30;
  assert.ok(decodeDecimal(bytes, 0).isZero);
  bytes[15] = 0x6c;
  assert.ok(decodeDecimal(bytes, 0).isZero);
});

const sums = [
  ['1', '2', '3'],
  ['1.10', '2.205', '3.305'],
  ['1', '-1', '0'],
  ['-0', '-0', '-0'],
  ['0', '-0', '0'],
  ['1.0', '-1.00', '0.00'],
  ['9999999999999999999999999999999999', '1', '1.000000000000000000000000000000000E+34'],
  // A tie rounds to the even neighbour.
  ['1000000000000000000000000000000000', '0.5', '1000000000000000000000000000000000'],
  ['1000000000000000000000000000000001', '0.5', '1000000000000000000000000000000002'],
  ['1E+6000', '1E-6000', '1.000000000000000000000000000000000E+6000'],
  ['9.999999999999999999999999999999999E+6144', '9.999999999999999999999999999999999E+6144', 'Infinity'],
  ['1E-6176', '1E-6176', '2E-6176'],
  ['Infinity', '1', 'Infinity'],
  ['Infinity', '-Infinity', 'NaN'],
  ['NaN', '1', 'NaN'],
] as const;

test('adds exactly and rounds once', () => {
  for (const [a, b, sum] of sums) {
    assert.equal(text(addDecimals(decode(a), decode(b))), sum, `${a} + ${b}`);
    assert.equal(text(addDecimals(decode(b), decode(a))), sum, `${b} + ${a}`);
  }
});

test('treats decimals as equal that differ only in representation', () => {
  assert.equal(compareDecimals(decode('1.0'), decode('1.000')), 0);
  assert.equal(compareDecimals(decode('1E+3'), decode('1000')), 0);
  assert.equal(compareDecimals(decode('-0'), decode('0E+9')), 0);
  assert.equal(compareDecimals(decode('1E-6000'), decode('-1E+6000')), 1);
});

test('converts a decimal to the nearest double and truncates it to an integer', () => {
  assert.equal(decimalToDouble(decode('0.1')), 0.1);
  assert.equal(decimalToDouble(decode('-1E+400')), Number.NEGATIVE_INFINITY);
  assert.ok(Object.is(decimalToDouble(decode('-0')), -0));
  assert.equal(decimalToInteger(decode('-12.99')), -12n);
  assert.equal(decimalToInteger(decode('1.2E+3')), 1200n);
});

test('converts a double to its exact decimal', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const { negative, coefficient, exponent } = exactDecimalOfDouble(value);
      assert.equal(Number(`${negative ? '-' : ''}${coefficient}e${exponent}`), value);
    }),
  );
  assert.deepEqual(exactDecimalOfDouble(0.375), finite(false, 375n, -3));
});

const fifteenDigits: ReadonlyArray<readonly [number, string]> = [
  [10.5, '10.5000000000000'],
  [0.1, '0.100000000000000'],
  [1, '1.00000000000000'],
  [-2.5, '-2.50000000000000'],
  [1e23, '1.00000000000000E+23'],
  [999999999999999.9, '1.00000000000000E+15'],
  [1 / 3, '0.333333333333333'],
  [0, '0'],
  [-0, '-0'],
  [Number.POSITIVE_INFINITY, 'Infinity'],
];

test('converts a double to 15 digits for arithmetic', () => {
  for (const [value, expected] of fifteenDigits) assert.equal(text(decimalOfDouble(value)), expected);
});
