import { bsonTypes } from '../bson-types.ts';
import { readDouble, readInt32, readInt64 } from '../bytes.ts';
import { double, int32, int64, type Value } from '../value.ts';
import { decimalToDouble, decimalToInteger, decodeDecimal, divideHalfEven } from './decimal128.ts';

const INT32_MAX = 0x7fffffff;
const INT32_MIN = -0x80000000;
export const INT64_MAX = (1n << 63n) - 1n;
export const INT64_MIN = -(1n << 63n);

/** Returns a number of any type as the nearest double. */
export function toNumber(value: Value): number {
  switch (value.type) {
    case bsonTypes.int:
      return readInt32(value.bytes, value.start);
    case bsonTypes.double:
      return readDouble(value.bytes, value.start);
    case bsonTypes.long:
      return Number(readInt64(value.bytes, value.start));
    default:
      return decimalToDouble(decodeDecimal(value.bytes, value.start));
  }
}

/** Converts a number of any type to an integer: truncates it and clamps it to int64. NaN becomes 0. */
export function toBigInt(value: Value): bigint {
  switch (value.type) {
    case bsonTypes.int:
      return BigInt(readInt32(value.bytes, value.start));
    case bsonTypes.long:
      return readInt64(value.bytes, value.start);
    case bsonTypes.double:
      return doubleToInt64(readDouble(value.bytes, value.start));
    default:
      return clamp(decimalToInteger(decodeDecimal(value.bytes, value.start)));
  }
}

/** Converts to an integer as the server does: truncates doubles and rounds decimals half to even. */
export function toInteger(value: Value): number {
  if (value.type !== bsonTypes.decimal) return Math.trunc(toNumber(value));
  const { kind, negative, coefficient, exponent } = decodeDecimal(value.bytes, value.start);
  if (kind !== 'finite' || exponent >= 0) return toNumber(value);
  const rounded = Number(divideHalfEven(coefficient, -exponent));
  return negative ? -rounded : rounded;
}

function clamp(value: bigint): bigint {
  return value > INT64_MAX ? INT64_MAX : value < INT64_MIN ? INT64_MIN : value;
}

function doubleToInt64(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (!Number.isFinite(value)) return value > 0 ? INT64_MAX : INT64_MIN;
  return clamp(BigInt(Math.trunc(value)));
}

/** Returns false for zero of any type. Returns true for NaN. */
export function truthOfNumber(value: Value): boolean {
  const number = toNumber(value);
  if (number !== 0) return true;
  return value.type === bsonTypes.decimal && !decodeDecimal(value.bytes, value.start).isZero;
}

export function fitsInt32(value: bigint): boolean {
  return value >= BigInt(INT32_MIN) && value <= BigInt(INT32_MAX);
}

export function fitsInt64(value: bigint): boolean {
  return value >= INT64_MIN && value <= INT64_MAX;
}

/** Returns an integer as an int32, an int64 or a double, whichever is the smallest type that can represent it. */
export function integerValue(value: bigint): Value {
  if (fitsInt32(value)) return int32(Number(value));
  return fitsInt64(value) ? int64(value) : double(Number(value));
}
