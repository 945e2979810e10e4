import { bsonTypes } from '../bson-types.ts';
import { decimal, double, int64, type Value } from '../value.ts';
import { bigIntOf, decimalForArithmetic, isDecimal, isDouble } from './arithmetic.ts';
import { integerValue, toNumber } from './convert.ts';
import { divideDecimals, remainderOfDecimals } from './decimal-arithmetic.ts';
import { encodeDecimal } from './decimal128.ts';

/**
 * Divides two numbers. The result is a decimal if one of the numbers is a decimal. Otherwise it is a double. Returns
 * `undefined` if the divisor is zero.
 */
export function divideNumbers(a: Value, b: Value): Value | undefined {
  if (isDecimal(a) || isDecimal(b)) {
    const divisor = decimalForArithmetic(b);
    if (divisor.isZero) return undefined;
    return decimal(encodeDecimal(divideDecimals(decimalForArithmetic(a), divisor)));
  }
  const divisor = toNumber(b);
  return divisor === 0 ? undefined : double(toNumber(a) / divisor);
}

/**
 * Returns the remainder, which has the sign of `a` and the wider of the two types. Returns `undefined` if the divisor
 * is zero.
 */
export function remainderOfNumbers(a: Value, b: Value): Value | undefined {
  if (isDecimal(a) || isDecimal(b)) {
    const divisor = decimalForArithmetic(b);
    if (divisor.isZero) return undefined;
    return decimal(encodeDecimal(remainderOfDecimals(decimalForArithmetic(a), divisor)));
  }
  if (isDouble(a) || isDouble(b)) {
    const divisor = toNumber(b);
    return divisor === 0 ? undefined : double(toNumber(a) % divisor);
  }
  const divisor = bigIntOf(b);
  if (divisor === 0n) return undefined;
  const rest = bigIntOf(a) % divisor;
  return a.type === bsonTypes.int && b.type === bsonTypes.int ? integerValue(rest) : int64(rest);
}
