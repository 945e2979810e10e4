import { absolute, divideDecimals, multiplyDecimals, negate } from './decimal-arithmetic.ts';
import { logarithmInUnits, unroundedExponential } from './decimal-exponential.ts';
import { addDecimals, type Decimal, decimalFromInteger, finite, infinite, round } from './decimal128.ts';
import {
  arctangentSeries,
  divideUnits,
  fromUnits,
  multiplyUnits,
  ONE,
  ofUnits,
  rootUnits,
  TINY,
  toUnits,
} from './units.ts';

/** π by Machin's formula. */
const PI = 4n * (4n * arctangentSeries(ONE / 5n, -1n) - arctangentSeries(ONE / 239n, -1n));
const one = decimalFromInteger(1n);
const half = finite(false, 5n, -1);

export const pi: Decimal = ofUnits(PI);

/** Evaluates an odd function in fixed-point units. For a tiny argument, the result is the argument itself. */
function odd(value: Decimal, apply: (units: bigint) => bigint): Decimal {
  if (value.kind !== 'finite' || isTiny(value)) return value;
  return fromUnits(apply(toUnits(value)));
}

function isTiny(value: Decimal): boolean {
  if (value.exponent > 0) return value.isZero;
  const units = toUnits(value);
  return units < TINY && units > -TINY;
}

/** Returns the sine and the cosine of an angle. First reduces the angle below π / 4. */
function sineAndCosine(units: bigint): [bigint, bigint] {
  const quarter = PI / 2n;
  const turns = (2n * units + (units < 0n ? -quarter : quarter)) / (2n * quarter);
  const rest = units - (turns * PI) / 2n;
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

/** Returns the sum first - first x²/(n(n+1)) + …, in which n is `from` and increases by 2 with each term. */
function series(first: bigint, x: bigint, from: bigint): bigint {
  const square = multiplyUnits(x, x);
  let term = first;
  let sum = first;
  for (let n = from; term !== 0n; n += 2n) {
    term = -multiplyUnits(term, square) / (n * (n + 1n));
    sum += term;
  }
  return sum;
}

export function sine(value: Decimal): Decimal {
  return odd(value, (units) => sineAndCosine(units)[0]);
}

export function cosine(value: Decimal): Decimal {
  return isTiny(value) ? one : fromUnits(sineAndCosine(toUnits(value))[1]);
}

export function tangent(value: Decimal): Decimal {
  return odd(value, (units) => {
    const [s, c] = sineAndCosine(units);
    return divideUnits(s, c);
  });
}

export function arctangent(value: Decimal): Decimal {
  if (value.kind === 'infinite') return fromUnits(value.negative ? -PI / 2n : PI / 2n);
  return odd(value, arctangentOf);
}

/** Returns the arctangent. Halves the angle until the series converges fast. */
function arctangentOf(units: bigint): bigint {
  if (units < 0n) return -arctangentOf(-units);
  if (units > ONE) return PI / 2n - arctangentOf(divideUnits(ONE, units));
  let x = units;
  let doublings = 1n;
  while (x > ONE / 8n) {
    x = divideUnits(x, ONE + rootUnits(ONE + multiplyUnits(x, x)));
    doublings *= 2n;
  }
  return arctangentSeries(x, -1n) * doublings;
}

export function arctangent2(y: Decimal, x: Decimal): Decimal {
  if (y.kind === 'nan' || x.kind === 'nan') return y.kind === 'nan' ? y : x;
  const size = angleOf(absolute(y), x);
  return round(y.negative ? negate(size) : size);
}

/** Returns the angle of a point in the upper half-plane. */
function angleOf(y: Decimal, x: Decimal): Decimal {
  if (y.isZero) return x.negative ? pi : finite(false, 0n, 0);
  if (x.isZero) return ofUnits(PI / 2n);
  if (y.kind === 'infinite' && x.kind === 'infinite') return ofUnits(x.negative ? (3n * PI) / 4n : PI / 4n);
  const angle = arctangent(divideDecimals(y, absolute(x)));
  return x.negative ? addDecimals(pi, negate(angle)) : angle;
}

export function arcsine(value: Decimal): Decimal {
  return odd(value, arcsineOf);
}

function arcsineOf(x: bigint): bigint {
  const cosine = rootUnits(ONE - multiplyUnits(x, x));
  if (cosine === 0n) return x < 0n ? -PI / 2n : PI / 2n;
  return arctangentOf(divideUnits(x, cosine));
}

export function arccosine(value: Decimal): Decimal {
  const x = toUnits(value);
  if (x === -ONE) return fromUnits(PI);
  return fromUnits(2n * arctangentOf(rootUnits(divideUnits(ONE - x, ONE + x))));
}

export function hyperbolicSine(value: Decimal): Decimal {
  if (value.kind !== 'finite' || isTiny(value)) return value;
  return halfOf(addDecimals(unroundedExponential(value), negate(unroundedExponential(negate(value)))));
}

export function hyperbolicCosine(value: Decimal): Decimal {
  if (value.isZero) return one;
  return halfOf(addDecimals(unroundedExponential(value), unroundedExponential(negate(value))));
}

function halfOf(value: Decimal): Decimal {
  return round(multiplyDecimals(value, half));
}

export function hyperbolicTangent(value: Decimal): Decimal {
  if (
    value.kind === 'infinite' ||
    (value.kind === 'finite' && Number(`${value.coefficient}e${value.exponent}`) > 100)
  ) {
    return value.negative ? negate(one) : one;
  }
  return odd(value, (units) => {
    const doubled = toUnits(unroundedExponential(ofUnits(2n * units)));
    return divideUnits(doubled - ONE, doubled + ONE);
  });
}

export function hyperbolicArcsine(value: Decimal): Decimal {
  return odd(value, (units) => {
    const size = units < 0n ? -units : units;
    const result = logOf(size + rootUnits(multiplyUnits(size, size) + ONE));
    return units < 0n ? -result : result;
  });
}

export function hyperbolicArccosine(value: Decimal): Decimal {
  if (value.kind === 'infinite') return value;
  const units = toUnits(value);
  return fromUnits(logOf(units + rootUnits(multiplyUnits(units, units) - ONE)));
}

export function hyperbolicArctangent(value: Decimal): Decimal {
  const units = toUnits(value);
  if (units === ONE || units === -ONE) return infinite(value.negative);
  return odd(value, (x) => logOf(divideUnits(ONE + x, ONE - x)) / 2n);
}

function logOf(units: bigint): bigint {
  return logarithmInUnits(finite(false, units, 0)) - logarithmInUnits(finite(false, ONE, 0));
}
