import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toBinary128 } from './binary128.ts';
import { finite, round } from './decimal128.ts';

const rounded = (coefficient: bigint, exponent: number) => {
  const {
    negative,
    coefficient: digits,
    exponent: places,
  } = round(toBinary128(finite(coefficient < 0n, coefficient < 0n ? -coefficient : coefficient, exponent)));
  return `${negative ? '-' : ''}${digits}e${places}`;
};
const value = (text: string) => {
  const [digits = '', exponent = '0'] = text.split('e');
  return `${digits.replace(/0+$/u, '')}e${Number(exponent) + (/0+$/u.exec(digits)?.[0].length ?? 0)}`;
};

test('numbers of at most 113 bits stay the same', () => {
  for (const [coefficient, exponent] of [
    [1n, 0],
    [-10n, 0],
    [5n, -1],
    [2n ** 112n - 1n, 0],
    [-375n, -3],
    [0n, 0],
  ] as const)
    assert.equal(value(rounded(coefficient, exponent)), value(`${coefficient}e${exponent}`));
});

test('other numbers are rounded to 113 bits, half to even', () => {
  const exact = (coefficient: bigint) => toBinary128(finite(false, coefficient, 0)).coefficient;
  assert.equal(exact(2n ** 113n + 1n), 2n ** 113n);
  assert.equal(exact(2n ** 113n + 2n), 2n ** 113n + 2n);
  assert.equal(exact(2n ** 113n + 3n), 2n ** 113n + 4n);
  assert.equal(exact(2n ** 114n - 1n), 2n ** 114n);
  // The nearest number to 1/10 is 0.1 + 4.81e-36.
  const tenth = toBinary128(finite(false, 1n, -1));
  const error = tenth.coefficient - 10n ** BigInt(-tenth.exponent - 1);
  assert.equal(String(error).length, -tenth.exponent - 35);
  assert.match(String(error), /^481/u);
});

test('the range of the exponent is not limited', () => {
  assert.equal(value(rounded(1n, 6144)), '1e6144');
  assert.equal(value(rounded(1n, -6176)), '1e-6176');
});
