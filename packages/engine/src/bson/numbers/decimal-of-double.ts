import { type Decimal, decimalNaN, digitsOf, divideHalfEven, finite, infinite, power } from './decimal128.ts';

const DIGITS = 15;

/**
 * Converts a double for decimal arithmetic as the server does: to 15 significant digits with trailing zeros.
 * For example, 0.1 becomes 0.100000000000000, although its exact value has 55 digits, and 10.5 becomes
 * 10.5000000000000.
 */
export function decimalOfDouble(value: number): Decimal {
  if (value === 0 || !Number.isFinite(value)) return exactDecimalOfDouble(value);
  const { coefficient, exponent, negative } = exactDecimalOfDouble(value);
  const excess = digitsOf(coefficient) - DIGITS;
  if (excess <= 0) return finite(negative, coefficient * power(-excess), exponent + excess);
  const rounded = divideHalfEven(coefficient, excess);
  // 9.99…9 rounds up to 10.0…0, which has one digit too many.
  return rounded === power(DIGITS)
    ? finite(negative, rounded / 10n, exponent + excess + 1)
    : finite(negative, rounded, exponent + excess);
}

/** Returns the exact value of a double: converts an integer times a power of two to an integer times a power of ten. */
export function exactDecimalOfDouble(value: number): Decimal {
  const special = specialOf(value);
  if (special !== undefined) return special;
  let [mantissa, exponent] = split(Math.abs(value));
  while (mantissa % 2n === 0n && exponent < 0) {
    mantissa /= 2n;
    exponent++;
  }
  if (exponent >= 0) return finite(value < 0, mantissa << BigInt(exponent), 0);
  // m / 2^k = m * 5^k / 10^k
  return finite(value < 0, mantissa * 5n ** BigInt(-exponent), exponent);
}

function specialOf(value: number): Decimal | undefined {
  if (Number.isNaN(value)) return decimalNaN;
  if (!Number.isFinite(value)) return infinite(value < 0);
  if (value === 0) return finite(Object.is(value, -0), 0n, 0);
  return undefined;
}

const view = new DataView(new ArrayBuffer(8));

/** Splits a positive double into its mantissa and a power of two. */
function split(value: number): [bigint, number] {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number(bits >> 52n);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, biased - 1075];
}
