import { type Decimal, decimalToInteger, finite, power, round } from './decimal128.ts';

/**
 * This file implements fixed-point arithmetic for irrational functions of decimals. Integers count units of 10^-PLACES.
 * With so many places, 34 digits are correct after rounding, even if a subtraction cancels half of the places.
 */

const PLACES = 90;
export const ONE = power(PLACES);

/** For an argument below this, an odd function returns the argument, because the cubic term lies beyond 34 digits. */
export const TINY = 10n ** 45n;

export function multiplyUnits(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

export function divideUnits(a: bigint, b: bigint): bigint {
  return (a * ONE) / b;
}

/** Converts a finite decimal to units, truncated. */
export function toUnits(value: Decimal): bigint {
  return decimalToInteger({ ...value, exponent: value.exponent + PLACES });
}

/** Returns `units` units times 10^`exponent` as a decimal, without rounding. */
export function ofUnits(units: bigint, exponent = 0): Decimal {
  return finite(units < 0n, units < 0n ? -units : units, exponent - PLACES);
}

export function fromUnits(units: bigint, exponent = 0): Decimal {
  return round(ofUnits(units, exponent));
}

/** Returns the integer square root, by Newton's method from above. */
export function wholeRoot(value: bigint): bigint {
  if (value === 0n) return 0n;
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2));
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function rootUnits(units: bigint): bigint {
  return wholeRoot(units * ONE);
}

/** Returns x + sign x^3/3 + x^5/5 + sign … for x below one half: atanh, or atan if `sign` is -1. */
export function arctangentSeries(x: bigint, sign: 1n | -1n): bigint {
  const square = sign * multiplyUnits(x, x);
  let part = x;
  let sum = x;
  for (let n = 3n; part !== 0n; n += 2n) {
    part = multiplyUnits(part, square);
    sum += part / n;
  }
  return sum;
}
