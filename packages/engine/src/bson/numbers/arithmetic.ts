import { bsonTypes } from '../bson-types.ts';
import { readDouble, readInt64 } from '../bytes.ts';
import { decimal, double, int32, int64, type Value } from '../value.ts';
import { fitsInt64, integerValue, toNumber } from './convert.ts';
import { multiplyDecimals, negate } from './decimal-arithmetic.ts';
import { decimalOfDouble } from './decimal-of-double.ts';
import { addDecimals, type Decimal, decimalFromInteger, decodeDecimal, encodeDecimal } from './decimal128.ts';

/**
 * The sum in the wider of both types: int32, int64, double, decimal128. Two int32 whose sum overflows give an
 * int64; `undefined` if the sum of whole numbers overflows int64.
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

/** Like `addNumbers`, but an int64 overflow gives a double. */
export function subtractNumbers(a: Value, b: Value): Value {
  if (isDecimal(a) || isDecimal(b)) {
    const difference = addDecimals(decimalForArithmetic(a), negate(decimalForArithmetic(b)));
    return decimal(encodeDecimal(difference));
  }
  if (isDouble(a) || isDouble(b)) return double(toNumber(a) - toNumber(b));
  return whole(bigIntOf(a) - bigIntOf(b), a, b);
}

/** The product in the wider of both types; an int64 overflow gives a double. */
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

/** The value of an int32 or int64. */
export function bigIntOf(value: Value): bigint {
  return value.type === bsonTypes.long ? readInt64(value.bytes, value.start) : BigInt(toNumber(value));
}

/** A number as a decimal; a double is rounded to 15 digits. */
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
