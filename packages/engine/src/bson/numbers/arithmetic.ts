import { bsonTypes } from '../bson-types.ts';
import { readDouble, readInt64 } from '../bytes.ts';
import { decimal, double, int32, int64, type Value } from '../value.ts';
import { fitsInt64, integerValue, toNumber } from './convert.ts';
import { multiplyDecimals, negate } from './decimal-arithmetic.ts';
import { decimalOfDouble } from './decimal-of-double.ts';
import { addDecimals, type Decimal, decimalFromInteger, decodeDecimal, encodeDecimal } from './decimal128.ts';

/**
 * Adds two numbers. The sum has the wider of the two types, in the order int32, int64, double, decimal128. If the sum
 * of two int32 overflows, it becomes an int64. Returns `undefined` if a sum of integers overflows int64.
 */
export function addNumbers(a: Value, b: Value): Value | undefined {
  if (a.type === bsonTypes.decimal || b.type === bsonTypes.decimal) {
    return decimal(encodeDecimal(addDecimals(decimalForArithmetic(a), decimalForArithmetic(b))));
  }
  if (a.type === bsonTypes.double || b.type === bsonTypes.double) return double(toNumber(a) + toNumber(b));
  if (a.type === bsonTypes.int && b.type === bsonTypes.int) {
    const sum = toNumber(a) + toNumber(b);
    return sum === (sum | 0) ? int32(sum) : int64(BigInt(sum));
  }
  const sum = bigIntOf(a) + bigIntOf(b);
  return fitsInt64(sum) ? int64(sum) : undefined;
}

/** Subtracts two numbers. The result has the wider of the two types, and becomes a double if it overflows int64. */
export function subtractNumbers(a: Value, b: Value): Value {
  if (isDecimal(a) || isDecimal(b)) {
    const difference = addDecimals(decimalForArithmetic(a), negate(decimalForArithmetic(b)));
    return decimal(encodeDecimal(difference));
  }
  if (isDouble(a) || isDouble(b)) return double(toNumber(a) - toNumber(b));
  return whole(bigIntOf(a) - bigIntOf(b), a, b);
}

/** Multiplies two numbers. The result has the wider of the two types, and becomes a double if it overflows int64. */
export function multiplyNumbers(a: Value, b: Value): Value {
  if (isDecimal(a) || isDecimal(b)) {
    return decimal(encodeDecimal(multiplyDecimals(decimalForArithmetic(a), decimalForArithmetic(b))));
  }
  if (isDouble(a) || isDouble(b)) return double(toNumber(a) * toNumber(b));
  return whole(bigIntOf(a) * bigIntOf(b), a, b);
}

function whole(result: bigint, a: Value, b: Value): Value {
  if (a.type === bsonTypes.int && b.type === bsonTypes.int) return integerValue(result);
  return fitsInt64(result) ? int64(result) : double(Number(result));
}

export function isDecimal(value: Value): boolean {
  return value.type === bsonTypes.decimal;
}

export function isDouble(value: Value): boolean {
  return value.type === bsonTypes.double;
}

/** Returns the value of an int32 or int64. */
export function bigIntOf(value: Value): bigint {
  return value.type === bsonTypes.long ? readInt64(value.bytes, value.start) : BigInt(toNumber(value));
}

/** Converts a number to a decimal. A double is rounded to 15 digits. */
export function decimalForArithmetic(value: Value): Decimal {
  switch (value.type) {
    case bsonTypes.decimal:
      return decodeDecimal(value.bytes, value.start);
    case bsonTypes.double:
      return decimalOfDouble(readDouble(value.bytes, value.start));
    default:
      return decimalFromInteger(bigIntOf(value));
  }
}
