import { bsonTypes } from '../../bson/bson-types.ts';
import { addNumbers, multiplyNumbers, subtractNumbers } from '../../bson/numbers/arithmetic.ts';
import { fitsInt64, toInteger, toNumber } from '../../bson/numbers/convert.ts';
import { divideNumbers, remainderOfNumbers } from '../../bson/numbers/division.ts';
import { date, double, int32, int64, int64Of, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ExpressionTable } from './expression.ts';
import { type Argument, any, binary, isNullish, isPresent, over, typeOf } from './operator.ts';

/** Basic arithmetic and the remainder. The result is null if an argument is null. */
export const arithmeticOperators: ExpressionTable = {
  $add: over(any, add),
  $subtract: binary(subtract),
  $multiply: over(any, multiply),
  $divide: binary(divide),
  $mod: binary(remainder),
};

/**
 * Adds from left to right. Each sum has the widest type so far. A double that is added to a decimal is first converted
 * to a decimal with 15 digits.
 */
function add(args: readonly Argument[]): Value {
  let sum: Value = zero;
  let base: Value | undefined;
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    if (isNumber(value)) sum = addNumbers(sum, value) ?? double(toNumber(sum) + toNumber(value));
    else if (value.type !== bsonTypes.date) {
      throw new ServerError('TypeMismatch', `$add only supports numeric or date types, not ${typeOf(value)}`);
    } else if (base !== undefined) {
      throw new ServerError(16612, 'only one date allowed in an $add expression');
    } else base = value;
  }
  return base === undefined ? sum : moved(base, sum, 1n);
}

const zero = int32(0);

/** Adds milliseconds to a date. */
function moved(base: Value, by: Value, sign: bigint): Value {
  const amount = millisecondsOf(by);
  const ms = int64Of(base) + sign * amount;
  if (!fitsInt64(ms)) throw new ServerError('Overflow', 'date overflow');
  return date(ms);
}

function millisecondsOf(value: Value): bigint {
  if (value.type === bsonTypes.int || value.type === bsonTypes.long) return BigInt(wholeText(value));
  const number = value.type === bsonTypes.double ? awayFromZero(toNumber(value)) : toInteger(value);
  if (!Number.isFinite(number) || !fitsInt64(BigInt(number))) {
    throw new ServerError('Overflow', 'date overflow');
  }
  return BigInt(number);
}

/** Rounds ties away from zero. */
function awayFromZero(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

function wholeText(value: Value): bigint | number {
  return value.type === bsonTypes.long ? int64Of(value) : toNumber(value);
}

export function subtract(a: Argument, b: Argument): Value {
  if (isNullish(a) || isNullish(b)) return nullValue;
  if (isNumber(a) && isNumber(b)) return subtractNumbers(a, b);
  if (a.type === bsonTypes.date && b.type === bsonTypes.date) {
    const difference = int64Of(a) - int64Of(b);
    if (!fitsInt64(difference)) throw new ServerError('Overflow', 'date overflow in $subtract');
    return int64(difference);
  }
  if (a.type === bsonTypes.date && isNumber(b)) return moved(a, b, -1n);
  throw new ServerError('TypeMismatch', `can't $subtract ${typeOf(b)} from ${typeOf(a)}`);
}

function multiply(args: readonly Argument[]): Value {
  let product = int32(1);
  let first = true;
  for (const value of args) {
    if (isPresent(value) && !isNumber(value)) {
      throw new ServerError('TypeMismatch', `$multiply only supports numeric types, not ${typeOf(value)}`);
    }
    if (isNullish(value)) return nullValue;
    product = first ? value : multiplyNumbers(product, value);
    first = false;
  }
  return product;
}

function divide(a: Argument, b: Argument): Value {
  if (isPresent(a) && isPresent(b) && isNumber(a) && isNumber(b)) {
    const quotient = divideNumbers(a, b);
    if (quotient === undefined) throw new ServerError('BadValue', "can't $divide by zero");
    return quotient;
  }
  if (isNullish(a) || isNullish(b)) return nullValue;
  throw new ServerError(
    'TypeMismatch',
    `$divide only supports numeric types, not ${typeOf(a)} and ${typeOf(b)}`,
  );
}

function remainder(a: Argument, b: Argument): Value {
  if (isPresent(a) && isPresent(b) && isNumber(a) && isNumber(b)) {
    const rest = remainderOfNumbers(a, b);
    if (rest !== undefined) return rest;
    const decimal = a.type === bsonTypes.decimal || b.type === bsonTypes.decimal;
    throw new ServerError(decimal ? 5733415 : 16610, "can't $mod by zero");
  }
  if (isNullish(a) || isNullish(b)) return nullValue;
  throw new ServerError(16611, `$mod only supports numeric types, not ${typeOf(a)} and ${typeOf(b)}`);
}
