import { bsonTypes } from '../bson-types.ts';
import { readDouble, readInt32, readInt64 } from '../bytes.ts';
import type { Value } from '../value.ts';
import { exactDecimalOfDouble } from './decimal-of-double.ts';
import { compareDecimals, type Decimal, decimalFromInteger, decodeDecimal } from './decimal128.ts';

/** Compares two numbers of any types by their exact values. NaN is the lowest value and equals itself. -0 equals 0. */
export function compareNumbers(a: Value, b: Value): number {
  if (a.type === bsonTypes.decimal || b.type === bsonTypes.decimal) return compareAsDecimals(a, b);
  return compareReals(realOf(a), realOf(b));
}

export function isNaNValue(value: Value): boolean {
  if (value.type === bsonTypes.double) return Number.isNaN(readDouble(value.bytes, value.start));
  return value.type === bsonTypes.decimal && decodeDecimal(value.bytes, value.start).kind === 'nan';
}

/** Returns int64 values as BigInt, because JavaScript compares BigInt with Number exactly. */
function realOf(value: Value): number | bigint {
  switch (value.type) {
    case bsonTypes.int:
      return readInt32(value.bytes, value.start);
    case bsonTypes.double:
      return readDouble(value.bytes, value.start);
    default:
      return readInt64(value.bytes, value.start);
  }
}

function compareReals(a: number | bigint, b: number | bigint): number {
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(isNotANumber(b)) - Number(isNotANumber(a));
}

/** True for NaN, which is the only number that differs from itself. */
function isNotANumber(real: number | bigint): boolean {
  // biome-ignore lint/suspicious/noSelfCompare: the only test that takes both types
  return real !== real;
}

function compareAsDecimals(a: Value, b: Value): number {
  const left = exactDecimalOf(a);
  const right = exactDecimalOf(b);
  if (left.kind === 'nan' || right.kind === 'nan') {
    return Number(right.kind === 'nan') - Number(left.kind === 'nan');
  }
  return compareDecimals(left, right);
}

/** Returns the exact value of a number of any type. */
function exactDecimalOf(value: Value): Decimal {
  switch (value.type) {
    case bsonTypes.int:
      return decimalFromInteger(BigInt(readInt32(value.bytes, value.start)));
    case bsonTypes.long:
      return decimalFromInteger(readInt64(value.bytes, value.start));
    case bsonTypes.double:
      return exactDecimalOfDouble(readDouble(value.bytes, value.start));
    default:
      return decodeDecimal(value.bytes, value.start);
  }
}
