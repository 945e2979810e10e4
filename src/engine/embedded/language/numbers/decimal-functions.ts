import { absolute, divideDecimals, multiplyDecimals, negate } from './decimal-arithmetic.ts';
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

/*
 * Functions of decimals whose results are irrational. They are worked out with whole numbers of units of
 * 10^-PLACES, so that 34 digits are right after rounding.
 */

const PLACES = 60;
const ONE = power(PLACES);

function multiply(a: bigint, b: bigint): bigint {
  return (a * b) / ONE;
}

/** A finite decimal in units; what lies below a unit is cut. */
function toUnits(value: Decimal): bigint {
  return decimalToInteger({ ...value, exponent: value.exponent + PLACES });
}

function fromUnits(units: bigint, exponent = 0): Decimal {
  return round(finite(units < 0n, units < 0n ? -units : units, exponent - PLACES));
}

/** e^x of units below 1 by its series. */
function expSeries(x: bigint): bigint {
  let term = ONE;
  let sum = ONE;
  for (let n = 1n; term !== 0n; n++) {
    term = multiply(term, x) / n;
    sum += term;
  }
  return sum;
}

/** atanh of units below a half by its series. */
function atanhSeries(x: bigint): bigint {
  const square = multiply(x, x);
  let part = x;
  let sum = x;
  for (let n = 3n; part !== 0n; n += 2n) {
    part = multiply(part, square);
    sum += part / n;
  }
  return sum;
}

// ln 2 = 2 atanh(1/3), ln 10 = 3 ln 2 + 2 atanh(1/9)
const LN2 = 2n * atanhSeries(ONE / 3n);
const LN10 = 3n * LN2 + 2n * atanhSeries(ONE / 9n);

/** Past these every decimal128 over- or underflows. */
const EXP_LIMIT = 15_000;

export function exponential(value: Decimal): Decimal {
  if (value.kind === 'nan') return value;
  if (value.isZero) return decimalFromInteger(1n);
  const magnitude = value.kind === 'infinite' ? EXP_LIMIT : Number(`${value.coefficient}e${value.exponent}`);
  if (magnitude >= EXP_LIMIT) return value.negative ? round(finite(false, 0n, -6176)) : infinite(false);
  const units = toUnits(value);
  // e^x = 10^k * e^(x - k ln 10)
  const tens = units / LN10;
  return fromUnits(expSeries((units - tens * LN10) / 16n) ** 16n / ONE ** 15n, Number(tens));
}

/** ln of a finite positive decimal, in units. */
function lnUnits(value: Decimal): bigint {
  // coefficient * 10^exponent = m * 10^tens with m in [1, 10)
  const digits = digitsOf(value.coefficient);
  const tens = digits - 1 + value.exponent;
  let m = (value.coefficient * ONE) / power(digits - 1);
  let twos = 0n;
  while (m > (ONE * 3n) / 2n) {
    m /= 2n;
    twos++;
  }
  return 2n * atanhSeries(((m - ONE) * ONE) / (m + ONE)) + twos * LN2 + BigInt(tens) * LN10;
}

export function naturalLogarithm(value: Decimal): Decimal {
  return logarithm(value, (units) => fromUnits(units));
}

/** Whole powers of ten have whole logarithms. */
export function decimalLogarithm(value: Decimal): Decimal {
  if (value.kind === 'finite' && !value.isZero && !value.negative) {
    const digits = digitsOf(value.coefficient);
    if (value.coefficient === power(digits - 1)) {
      return decimalFromInteger(BigInt(digits - 1 + value.exponent));
    }
  }
  return logarithm(value, (units) => fromUnits((units * ONE) / LN10));
}

function logarithm(value: Decimal, result: (units: bigint) => Decimal): Decimal {
  if (value.kind === 'nan') return value;
  if (value.isZero) return infinite(true);
  if (value.negative) return decimalNaN;
  if (value.kind === 'infinite') return value;
  const units = lnUnits(value);
  if (units === 0n) return decimalFromInteger(0n);
  return result(units);
}

/** `base` to a power; whole powers that fit 34 digits are exact. */
export function raise(base: Decimal, exponent: Decimal): Decimal {
  if (exponent.isZero) return decimalFromInteger(1n);
  if (base.kind === 'nan' || exponent.kind === 'nan') return decimalNaN;
  const whole = wholeOf(exponent);
  if (whole !== undefined && base.kind === 'finite' && absoluteOf(whole) <= 5000n) {
    return wholePower(base, whole);
  }
  const odd = whole !== undefined && (whole & 1n) === 1n;
  if (base.negative && whole === undefined && exponent.kind === 'finite' && base.kind === 'finite') {
    return base.isZero ? raise(absolute(base), exponent) : decimalNaN;
  }
  const magnitude = raisePositive(absolute(base), exponent);
  return base.negative && odd ? negate(magnitude) : magnitude;
}

function raisePositive(base: Decimal, exponent: Decimal): Decimal {
  if (base.isZero || base.kind === 'infinite') {
    const large = base.isZero === exponent.negative;
    return large ? infinite(false) : decimalFromInteger(0n);
  }
  return exponential(multiplyDecimals(fromUnitsExact(lnUnits(base)), exponent));
}

function fromUnitsExact(units: bigint): Decimal {
  return finite(units < 0n, absoluteOf(units), -PLACES);
}

function absoluteOf(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function wholeOf(value: Decimal): bigint | undefined {
  if (value.kind !== 'finite' || value.exponent > 40) return undefined;
  const whole = decimalToInteger(value);
  const back = addDecimals(value, negate(decimalFromInteger(whole)));
  return back.isZero ? whole : undefined;
}

function wholePower(base: Decimal, exponent: bigint): Decimal {
  const magnitude = absoluteOf(exponent);
  const negative = base.negative && (magnitude & 1n) === 1n;
  const raised = finite(negative, base.coefficient ** magnitude, base.exponent * Number(magnitude));
  return exponent < 0n ? divideDecimals(decimalFromInteger(1n), raised) : round(raised);
}

/** pi to the places of a unit, by Machin's formula. */
const PI = 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n));

function arctanOfInverse(n: bigint): bigint {
  let part = ONE / n;
  let sum = part;
  let sign = -1n;
  for (let k = 3n; part !== 0n; k += 2n) {
    part /= n * n;
    sum += (sign * part) / k;
    sign = -sign;
  }
  return sum;
}

export const pi: Decimal = fromUnits(PI);

/** Sine and cosine in units of an angle; the angle is first brought below pi / 4 in size. */
function sineAndCosine(value: Decimal): [bigint, bigint] {
  const exact = value.exponent > 0 ? value.coefficient * power(value.exponent) : undefined;
  const units = exact === undefined ? toUnits(value) : (value.negative ? -exact : exact) * ONE;
  const half = PI / 2n;
  const turns = (2n * units + (units < 0n ? -half : half)) / (2n * half);
  const rest = units - turns * half;
  const [sine, cosine] = [series(rest, rest, 2n), series(ONE, rest, 1n)];
  switch (((turns % 4n) + 4n) % 4n) {
    case 0n:
      return [sine, cosine];
    case 1n:
      return [cosine, -sine];
    case 2n:
      return [-sine, -cosine];
    default:
      return [-cosine, sine];
  }
}

/** x^k/k! - x^(k+2)/(k+2)! + … */
function series(first: bigint, x: bigint, from: bigint): bigint {
  const square = multiply(x, x);
  let term = first;
  let sum = first;
  for (let n = from; term !== 0n; n += 2n) {
    term = -multiply(term, square) / (n * (n + 1n));
    sum += term;
  }
  return sum;
}

export function sine(value: Decimal): Decimal {
  return value.isZero ? value : fromUnits(sineAndCosine(value)[0]);
}

export function cosine(value: Decimal): Decimal {
  return value.isZero ? decimalFromInteger(1n) : fromUnits(sineAndCosine(value)[1]);
}

export function tangent(value: Decimal): Decimal {
  if (value.isZero) return value;
  const [s, c] = sineAndCosine(value);
  return fromUnits((s * ONE) / c);
}

/** By halving the angle until the series is short. */
export function arctangent(value: Decimal): Decimal {
  if (value.kind === 'nan' || value.isZero) return value;
  const magnitude = value.kind === 'infinite' ? PI / 2n : arctanUnits(absolute(value));
  return fromUnits(value.negative ? -magnitude : magnitude);
}

function arctanUnits(value: Decimal): bigint {
  const units = toUnits(value);
  if (units > ONE) {
    const inverse = toUnits(divideDecimals(decimalFromInteger(1n), value));
    return PI / 2n - arctanSmall(inverse);
  }
  return arctanSmall(units);
}

function arctanSmall(units: bigint): bigint {
  let x = units;
  let doublings = 1n;
  while (x > ONE / 8n) {
    x = (x * ONE) / (ONE + rootUnits(ONE + multiply(x, x)));
    doublings *= 2n;
  }
  const square = multiply(x, x);
  let part = x;
  let sum = x;
  let sign = -1n;
  for (let k = 3n; part !== 0n; k += 2n) {
    part = multiply(part, square);
    sum += (sign * part) / k;
    sign = -sign;
  }
  return sum * doublings;
}

function rootUnits(units: bigint): bigint {
  const target = units * ONE;
  let root = 1n << BigInt(Math.ceil(target.toString(2).length / 2));
  for (;;) {
    const next = (root + target / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}
