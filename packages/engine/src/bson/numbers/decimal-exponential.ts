import { toBinary128 } from './binary128.ts';
import { absolute, divideDecimals, multiplyDecimals, negate, withoutZeros } from './decimal-arithmetic.ts';
import {
  addDecimals,
  type Decimal,
  decimalFromInteger,
  decimalNaN,
  decimalToInteger,
  digitsOf,
  finite,
  infinite,
  power,
  round,
} from './decimal128.ts';
import { arctangentSeries, divideUnits, fromUnits, multiplyUnits, ONE, ofUnits, toUnits } from './units.ts';

// ln 2 = 2 atanh(1/3), ln 10 = 3 ln 2 + 2 atanh(1/9)
const LN2 = 2n * arctangentSeries(ONE / 3n, 1n);
const LN10 = 3n * LN2 + 2n * arctangentSeries(ONE / 9n, 1n);

/** If the absolute value of the argument is at least this, the result overflows or underflows. */
const LIMIT = 15_000;

export function exponential(value: Decimal): Decimal {
  if (value.kind === 'infinite' && value.negative) return decimalFromInteger(0n);
  return withoutFraction(round(unroundedExponential(value)));
}

/** Removes the digits after the decimal point if all of them are zero, even if the result was rounded. */
function withoutFraction(value: Decimal): Decimal {
  if (value.kind !== 'finite' || value.isZero || value.exponent >= 0) return value;
  return wholeValue(value) === undefined ? value : withoutZeros(value, 0);
}

export function unroundedExponential(value: Decimal): Decimal {
  if (value.kind === 'nan') return value;
  if (value.isZero) return decimalFromInteger(1n);
  const size = value.kind === 'infinite' ? LIMIT : Number(`${value.coefficient}e${value.exponent}`);
  if (size >= LIMIT) return value.negative ? finite(false, 0n, -6176) : infinite(false);
  const units = toUnits(value);
  // e^x = 10^k * e^(x - k ln 10)
  const tens = units / LN10;
  return ofUnits(exponentialSeries((units - tens * LN10) / 16n) ** 16n / ONE ** 15n, Number(tens));
}

function exponentialSeries(x: bigint): bigint {
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n++) {
    term = multiplyUnits(term, x) / n;
    sum += term;
  }
  return sum;
}

/** Returns the natural logarithm of a finite positive decimal, in fixed-point units (`units.ts`). */
export function logarithmInUnits(value: Decimal): bigint {
  // The value is m * 10^tens with m in [1, 10). m is halved until the series converges fast.
  const digits = digitsOf(value.coefficient);
  let m = (value.coefficient * ONE) / power(digits - 1);
  let twos = 0n;
  while (m > (ONE * 3n) / 2n) {
    m /= 2n;
    twos++;
  }
  const tens = BigInt(digits - 1 + value.exponent);
  return 2n * arctangentSeries(divideUnits(m - ONE, m + ONE), 1n) + twos * LN2 + tens * LN10;
}

/**
 * Returns the natural logarithm. The decimal library of the reference server rounds the argument and the result to
 * binary128 (113 bits), so this function does the same. Near 1, this function rounds neither of them, because rounding
 * the argument would change its logarithm too much.
 */
export function naturalLogarithm(value: Decimal): Decimal {
  if (value.kind !== 'finite' || value.negative || value.isZero || isNearOne(value))
    return logarithm(value, (units) => units);
  const units = logarithmInUnits(toBinary128(value));
  return withoutFraction(round(toBinary128(ofUnits(units))));
}

function isNearOne({ coefficient, exponent }: Decimal): boolean {
  const size = Number(`${coefficient}e${exponent}`);
  return size > 0.5 && size < 2;
}

/** Returns the logarithm to base ten. Powers of ten have integral logarithms. */
export function decimalLogarithm(value: Decimal): Decimal {
  const digits = digitsOf(value.coefficient);
  if (value.kind === 'finite' && !value.negative && value.coefficient === power(digits - 1)) {
    return decimalFromInteger(BigInt(digits - 1 + value.exponent));
  }
  return logarithm(value, (units) => divideUnits(units, LN10));
}

function logarithm(value: Decimal, scale: (units: bigint) => bigint): Decimal {
  if (value.kind === 'nan') return value;
  if (value.isZero) return infinite(true);
  if (value.negative) return decimalNaN;
  if (value.kind === 'infinite') return value;
  const units = logarithmInUnits(value);
  return units === 0n ? decimalFromInteger(0n) : withoutFraction(round(fromUnits(scale(units))));
}

/**
 * Returns `base` to the power of `exponent`, padded with zeros to 34 digits. A zero gets the least possible exponent.
 */
export function raise(base: Decimal, exponent: Decimal): Decimal {
  if (exponent.isZero || isOne(base)) return decimalFromInteger(1n);
  const raised = unpaddedPower(base, exponent);
  if (raised.kind !== 'finite') return raised;
  return raised.isZero ? finite(false, 0n, MIN_EXPONENT) : padded(round(raised));
}

const MIN_EXPONENT = -6176;

function isOne(value: Decimal): boolean {
  return value.kind === 'finite' && wholeValue(value) === 1n;
}

function padded({ negative, coefficient, exponent }: Decimal): Decimal {
  const places = Math.min(34 - digitsOf(coefficient), exponent - MIN_EXPONENT);
  return finite(negative, coefficient * power(places), exponent - places);
}

/** Returns the power without padding. Integral powers that fit in 34 digits are exact. */
function unpaddedPower(base: Decimal, exponent: Decimal): Decimal {
  if (base.kind === 'nan' || exponent.kind === 'nan') return decimalNaN;
  const whole = wholeValue(exponent);
  if (whole !== undefined && base.kind === 'finite' && absoluteOf(whole) <= 5000n) {
    return wholePower(base, whole);
  }
  if (base.negative && base.kind === 'finite' && !base.isZero && whole === undefined) {
    if (exponent.kind === 'finite') return decimalNaN;
  }
  const size = raisePositive(absolute(base), exponent);
  return base.negative && whole !== undefined && whole % 2n !== 0n ? negate(size) : size;
}

function raisePositive(base: Decimal, exponent: Decimal): Decimal {
  if (base.isZero || base.kind === 'infinite') {
    return base.isZero === exponent.negative ? infinite(false) : decimalFromInteger(0n);
  }
  const log = ofUnits(logarithmInUnits(base));
  return log.isZero ? decimalFromInteger(1n) : exponential(multiplyDecimals(log, exponent));
}

function absoluteOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Returns the value if it is an integer with an exponent of at most 40. */
function wholeValue(value: Decimal): bigint | undefined {
  if (value.kind !== 'finite' || value.exponent > 40) return undefined;
  const whole = decimalToInteger(value);
  return addDecimals(value, negate(decimalFromInteger(whole))).isZero ? whole : undefined;
}

function wholePower(base: Decimal, exponent: bigint): Decimal {
  const size = absoluteOf(exponent);
  const negative = base.negative && size % 2n === 1n;
  const raised = finite(negative, base.coefficient ** size, base.exponent * Number(size));
  return exponent < 0n ? divideDecimals(decimalFromInteger(1n), raised) : round(raised);
}
