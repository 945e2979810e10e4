import { readUint64 } from '../bytes.ts';

/**
 * This file implements exact IEEE 754-2008 decimal128 arithmetic in the binary integer significand format: the
 * encoding, sums, comparisons and conversions. The coefficient is a BigInt, and only `encodeDecimal` rounds. No
 * installed library supports this format.
 */

/** A number `(-1)^negative * coefficient * 10^exponent`, or a special value. */
export interface Decimal {
  readonly kind: 'finite' | 'infinite' | 'nan';
  readonly negative: boolean;
  readonly coefficient: bigint;
  readonly exponent: number;
  readonly isZero: boolean;
}

const BIAS = 6176;
export const MIN_EXPONENT = -6176;
const MAX_EXPONENT = 6111;
const DIGITS = 34;
const LIMIT = 10n ** BigInt(DIGITS);

export function finite(negative: boolean, coefficient: bigint, exponent: number): Decimal {
  return { kind: 'finite', negative, coefficient, exponent, isZero: coefficient === 0n };
}

export const decimalNaN: Decimal = {
  kind: 'nan',
  negative: false,
  coefficient: 0n,
  exponent: 0,
  isZero: false,
};

export function infinite(negative: boolean): Decimal {
  return { kind: 'infinite', negative, coefficient: 0n, exponent: 0, isZero: false };
}

/** Decodes the 16 bytes at `at`. A coefficient of more than 34 digits is not canonical and becomes zero. */
export function decodeDecimal(bytes: Uint8Array, at: number): Decimal {
  const low = readUint64(bytes, at);
  const high = readUint64(bytes, at + 8);
  const negative = high >> 63n === 1n;
  const top = Number((high >> 58n) & 0x1fn);
  if (top === 0x1f) return decimalNaN;
  if (top === 0x1e) return infinite(negative);
  // If both top bits of the exponent are set, the coefficient has 114 bits, and thus more than 34 digits.
  if (top >= 0x18) return finite(negative, 0n, Number((high >> 47n) & 0x3fffn) - BIAS);
  const coefficient = ((high & 0x1ffffffffffffn) << 64n) | low;
  const exponent = Number((high >> 49n) & 0x3fffn) - BIAS;
  return finite(negative, coefficient < LIMIT ? coefficient : 0n, exponent);
}

/** Returns the 16 bytes of the nearest decimal128. Ties are rounded to even. */
export function encodeDecimal(decimal: Decimal): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const rounded = round(decimal);
  const sign = rounded.negative ? 1n << 63n : 0n;
  view.setBigUint64(0, rounded.coefficient & 0xffffffffffffffffn, true);
  view.setBigUint64(8, sign | highBits(rounded), true);
  return bytes;
}

function highBits(rounded: Decimal): bigint {
  if (rounded.kind === 'nan') return 0x7c00000000000000n;
  if (rounded.kind === 'infinite') return 0x7800000000000000n;
  return (BigInt(rounded.exponent + BIAS) << 49n) | (rounded.coefficient >> 64n);
}

/** Rounds to 34 digits and to the range of exponents. */
export function round(decimal: Decimal): Decimal {
  if (decimal.kind !== 'finite') return decimal;
  let { coefficient, exponent } = decimal;
  const excess = Math.max(digitsOf(coefficient) - DIGITS, MIN_EXPONENT - exponent);
  if (excess > 0) {
    coefficient = divideHalfEven(coefficient, excess);
    exponent += excess;
    // 99…9 rounds up to a number with one more digit.
    if (coefficient === LIMIT) {
      coefficient /= 10n;
      exponent++;
    }
  }
  if (exponent > MAX_EXPONENT) {
    if (coefficient === 0n) return finite(decimal.negative, 0n, MAX_EXPONENT);
    const padding = exponent - MAX_EXPONENT;
    if (digitsOf(coefficient) + padding > DIGITS) return infinite(decimal.negative);
    coefficient *= power(padding);
    exponent = MAX_EXPONENT;
  }
  return finite(decimal.negative, coefficient, exponent);
}

/** Drops the last `digits` digits. Ties are rounded to even. */
export function divideHalfEven(coefficient: bigint, digits: number): bigint {
  // A coefficient with so few digits rounds to zero, so the power of ten is not computed.
  if (digits > digitsOf(coefficient) + 1) return 0n;
  const divisor = power(digits);
  const quotient = coefficient / divisor;
  const twice = (coefficient % divisor) * 2n;
  const up = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  return up ? quotient + 1n : quotient;
}

export function digitsOf(coefficient: bigint): number {
  return coefficient === 0n ? 1 : coefficient.toString().length;
}

export function power(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Returns the exact sum, which is not rounded. Its exponent is the smaller of the two exponents. */
export function addDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind !== 'finite' || b.kind !== 'finite') return addSpecials(a, b);
  const exponent = Math.min(a.exponent, b.exponent);
  const sum = signed(a, exponent) + signed(b, exponent);
  const negative = sum === 0n ? a.negative && b.negative : sum < 0n;
  return finite(negative, sum < 0n ? -sum : sum, exponent);
}

function addSpecials(a: Decimal, b: Decimal): Decimal {
  if (a.kind === 'nan' || b.kind === 'nan') return decimalNaN;
  if (a.kind === 'infinite' && b.kind === 'infinite' && a.negative !== b.negative) return decimalNaN;
  return a.kind === 'infinite' ? a : b;
}

function signed(decimal: Decimal, exponent: number): bigint {
  const scaled = decimal.coefficient * power(decimal.exponent - exponent);
  return decimal.negative ? -scaled : scaled;
}

/** Compares two decimals that are not NaN. Returns -1, 0 or 1. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0) return Math.sign(signs);
  if (signOf(a) === 0) return 0;
  return a.negative ? compareMagnitudes(b, a) : compareMagnitudes(a, b);
}

function signOf(decimal: Decimal): number {
  return decimal.isZero ? 0 : decimal.negative ? -1 : 1;
}

function compareMagnitudes(a: Decimal, b: Decimal): number {
  if (a.kind === 'infinite' || b.kind === 'infinite') {
    return Number(a.kind === 'infinite') - Number(b.kind === 'infinite');
  }
  const places = digitsOf(a.coefficient) + a.exponent - (digitsOf(b.coefficient) + b.exponent);
  if (places !== 0) return Math.sign(places);
  const exponent = Math.min(a.exponent, b.exponent);
  const left = a.coefficient * power(a.exponent - exponent);
  const right = b.coefficient * power(b.exponent - exponent);
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Returns the nearest double. */
export function decimalToDouble(decimal: Decimal): number {
  if (decimal.kind === 'nan') return Number.NaN;
  const magnitude =
    decimal.kind === 'infinite'
      ? Number.POSITIVE_INFINITY
      : Number(`${decimal.coefficient}e${decimal.exponent}`);
  return decimal.negative ? -magnitude : magnitude;
}

/** Truncates to an integer. NaN becomes 0, and an infinity becomes an integer beyond the range of int64. */
export function decimalToInteger(decimal: Decimal): bigint {
  if (decimal.kind === 'nan') return 0n;
  const magnitude =
    decimal.kind === 'infinite'
      ? 1n << 64n
      : decimal.exponent >= 0
        ? decimal.coefficient * power(decimal.exponent)
        : decimal.coefficient / power(-decimal.exponent);
  return decimal.negative ? -magnitude : magnitude;
}

export function decimalFromInteger(value: bigint): Decimal {
  return finite(value < 0n, value < 0n ? -value : value, 0);
}
