import { bsonTypes, typeName } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { multiplyNumbers } from '../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { encodeDecimal, finite, power } from '../../bson/numbers/decimal128.ts';
import { decimal, double, type Element, int32, isNumber, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { preferredNumbers } from './preferred-numbers.ts';

/** A series of numbers to which the boundaries of buckets are rounded. */
export interface Granularity {
  /**
   * `up` returns the least number of the series above the value, and `down` returns the greatest number below
   * it. Both return 0 for 0.
   */
  up(value: Value): Value;
  down(value: Value): Value;
}

export function parseGranularity(element: Element): Granularity {
  if (element.type !== bsonTypes.string) {
    throw new ServerError(
      40261,
      `The $bucketAuto 'granularity' field must be a string, but found type: ${typeName(element.type)}.`,
    );
  }
  const name = textOf(element);
  if (name === 'POWERSOF2') return checked(powersOfTwo);
  const series = preferredNumbers(name);
  if (series === undefined) throw new ServerError(40257, `Unknown rounding granularity '${name}'`);
  return checked(preferred(series));
}

function checked({ up, down }: Granularity): Granularity {
  const unlessZero = (round: (value: Value) => Value) => (value: Value) => {
    checkValue(value);
    return toNumber(value) === 0 ? zeroOf(value) : round(value);
  };
  return { up: unlessZero(up), down: unlessZero(down) };
}

function zeroOf(value: Value): Value {
  return value.type === bsonTypes.decimal ? numberAt(0, 0, true) : double(0);
}

function checkValue(value: Value): void {
  const start = "$bucketAuto can specify a 'granularity' with ";
  if (!isNumber(value)) {
    throw new ServerError(
      40258,
      `${start}numeric boundaries only, but found a value with type: ${typeName(value.type)}`,
    );
  }
  if (Number.isNaN(toNumber(value))) {
    throw new ServerError(40259, `${start}numeric boundaries only, but found a NaN`);
  }
  if (compareValues(value, int32(0)) < 0) {
    throw new ServerError(40260, `${start}non-negative numbers only, but found a negative number`);
  }
}

const powersOfTwo: Granularity = {
  up: (value) => powerOfTwo(Math.floor(Math.log2(toNumber(value))) + 1, value),
  down: (value) => powerOfTwo(Math.ceil(Math.log2(toNumber(value))) - 1, value),
};

function powerOfTwo(exponent: number, like: Value): Value {
  const power = double(2 ** exponent);
  return like.type === bsonTypes.decimal ? multiplyNumbers(numberAt(1, 0, true), power) : power;
}

/**
 * Returns `digits` times a power of ten. For doubles it multiplies by ten repeatedly, so that rounding errors equal the
 * server's.
 */
function numberAt(digits: number, exponent: number, asDecimal: boolean): Value {
  if (asDecimal) {
    const coefficient = BigInt(digits) * power(Math.max(exponent, 0));
    return decimal(encodeDecimal(finite(false, coefficient, Math.min(exponent, 0))));
  }
  let multiplier = 1;
  for (let i = 0; i < Math.abs(exponent); i++) multiplier = exponent < 0 ? multiplier / 10 : multiplier * 10;
  return double(digits * multiplier);
}

function preferred(series: readonly number[]): Granularity {
  const least = series[0] as number;
  return {
    up(value) {
      if (!Number.isFinite(toNumber(value))) return value;
      const exponent = exponentOf(value, least);
      const asDecimal = value.type === bsonTypes.decimal;
      for (const digits of series) {
        const boundary = numberAt(digits, exponent, asDecimal);
        if (compareValues(boundary, value) > 0) return boundary;
      }
      return numberAt(least, exponent + 1, asDecimal);
    },
    down(value) {
      if (!Number.isFinite(toNumber(value))) return value;
      const exponent = exponentOf(value, least);
      const asDecimal = value.type === bsonTypes.decimal;
      for (const digits of series.toReversed()) {
        const boundary = numberAt(digits, exponent, asDecimal);
        if (compareValues(boundary, value) < 0) return boundary;
      }
      return numberAt(series.at(-1) as number, exponent - 1, asDecimal);
    },
  };
}

/**
 * Returns the exponent of the power of ten by which the series is multiplied. The value then lies between the
 * least number of the multiplied series and ten times that number.
 */
function exponentOf(value: Value, least: number): number {
  const asDecimal = value.type === bsonTypes.decimal;
  let exponent = 0;
  while (compareValues(numberAt(least, exponent, asDecimal), value) > 0) exponent--;
  while (compareValues(numberAt(least, exponent + 1, asDecimal), value) <= 0) exponent++;
  return exponent;
}
