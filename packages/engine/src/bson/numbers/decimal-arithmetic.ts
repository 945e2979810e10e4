import {
  type Decimal,
  decimalNaN,
  digitsOf,
  divideHalfEven,
  finite,
  infinite,
  power,
  round,
} from './decimal128.ts';
import { wholeRoot } from './units.ts';

/** Number of digits of a decimal128. */
const DIGITS = 34;

export function negate(value: Decimal): Decimal {
  return value.kind === 'nan' ? value : { ...value, negative: !value.negative };
}

export function absolute(value: Decimal): Decimal {
  return value.kind === 'nan' ? value : { ...value, negative: false };
}

/** Returns the exact product, which is not rounded. */
export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  const negative = a.negative !== b.negative;
  if (a.kind === 'nan' || b.kind === 'nan') return decimalNaN;
  if (a.kind === 'infinite' || b.kind === 'infinite') {
    return a.isZero || b.isZero ? decimalNaN : infinite(negative);
  }
  return finite(negative, a.coefficient * b.coefficient, a.exponent + b.exponent);
}

/**
 * Divides with 34 digits. If the quotient is exact, its exponent is as close as possible to the difference of the
 * exponents of the two numbers. For example, 6 / 3 is 2, not 2.000.
 */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const negative = a.negative !== b.negative;
  if (a.kind === 'nan' || b.kind === 'nan') return decimalNaN;
  if (a.kind === 'infinite') return b.kind === 'infinite' ? decimalNaN : infinite(negative);
  if (b.kind === 'infinite') return round(finite(negative, 0n, -6176));
  if (b.isZero) return a.isZero ? decimalNaN : infinite(negative);
  const ideal = a.exponent - b.exponent;
  if (a.isZero) return round(finite(negative, 0n, ideal));
  const shift = Math.max(0, DIGITS + 2 + digitsOf(b.coefficient) - digitsOf(a.coefficient));
  const dividend = a.coefficient * power(shift);
  const quotient = dividend / b.coefficient;
  // If there is a remainder, append a digit. Otherwise `round` could take the quotient for a tie.
  if (dividend % b.coefficient !== 0n) {
    return round(finite(negative, quotient * 10n + 1n, ideal - shift - 1));
  }
  return round(withoutZeros(finite(negative, quotient, ideal - shift), ideal));
}

/** Removes trailing zeros of the coefficient until the exponent is `most`. */
export function withoutZeros(value: Decimal, most: number): Decimal {
  let { coefficient, exponent } = value;
  while (exponent < most && coefficient !== 0n && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent++;
  }
  return finite(value.negative, coefficient, exponent);
}

/** Returns the remainder of `a` divided by `b`, with the sign of `a`. */
export function remainderOfDecimals(a: Decimal, b: Decimal): Decimal {
  if (a.kind !== 'finite' || b.kind === 'nan' || b.isZero) return decimalNaN;
  if (b.kind === 'infinite') return a;
  const exponent = Math.min(a.exponent, b.exponent);
  const divisor = b.coefficient * power(b.exponent - exponent);
  return finite(a.negative, (a.coefficient * power(a.exponent - exponent)) % divisor, exponent);
}

export type RoundingMode = 'halfEven' | 'down' | 'up' | 'floor' | 'ceiling';

/** Returns the value with exactly this exponent, or NaN if that takes more than 34 digits. */
export function quantize(value: Decimal, exponent: number, mode: RoundingMode): Decimal {
  if (value.kind !== 'finite') return value;
  if (value.exponent >= exponent) {
    if (value.isZero) return finite(value.negative, 0n, exponent);
    const padding = value.exponent - exponent;
    if (digitsOf(value.coefficient) + padding > DIGITS) return decimalNaN;
    return finite(value.negative, value.coefficient * power(padding), exponent);
  }
  const coefficient = cut(value.coefficient, exponent - value.exponent, directed(mode, value.negative));
  return finite(value.negative, coefficient, exponent);
}

function directed(mode: RoundingMode, negative: boolean): RoundingMode {
  if (mode === 'floor') return negative ? 'up' : 'down';
  if (mode === 'ceiling') return negative ? 'down' : 'up';
  return mode;
}

function cut(coefficient: bigint, digits: number, mode: RoundingMode): bigint {
  if (mode === 'halfEven') return divideHalfEven(coefficient, digits);
  if (digits > digitsOf(coefficient)) return mode === 'up' && coefficient !== 0n ? 1n : 0n;
  const divisor = power(digits);
  const quotient = coefficient / divisor;
  return mode === 'up' && coefficient % divisor !== 0n ? quotient + 1n : quotient;
}

/** Rounds to an integer with exponent 0, or returns NaN if that takes more than 34 digits. */
export function toWhole(value: Decimal, mode: RoundingMode): Decimal {
  return quantize(value, 0, mode);
}

/** Returns the square root with 34 digits, or NaN for a negative value. */
export function squareRoot(value: Decimal): Decimal {
  if (value.kind === 'nan' || value.isZero) {
    return value.isZero ? finite(value.negative, 0n, Math.floor(value.exponent / 2)) : value;
  }
  if (value.negative) return decimalNaN;
  if (value.kind === 'infinite') return value;
  const ideal = Math.floor(value.exponent / 2);
  let shift = Math.max(0, 2 * (DIGITS + 2) - digitsOf(value.coefficient));
  if ((value.exponent - shift) % 2 !== 0) shift++;
  const radicand = value.coefficient * power(shift);
  const root = wholeRoot(radicand);
  const exponent = (value.exponent - shift) / 2;
  if (root * root !== radicand) return round(finite(false, root * 10n + 1n, exponent - 1));
  return round(withoutZeros(finite(false, root, exponent), ideal));
}
