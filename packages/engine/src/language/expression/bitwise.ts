import { bsonTypes } from '../../bson/bson-types.ts';
import { bigIntOf } from '../../bson/numbers/arithmetic.ts';
import { int32, int64, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { any, isNullish, over, typeOf, unary } from './operator.ts';

/** Bitwise operators. The result is an int64 if any argument is an int64, otherwise an int32. */
export const bitwiseOperators: ExpressionTable = {
  $bitAnd: combined(-1n, (a, b) => a & b),
  $bitOr: combined(0n, (a, b) => a | b),
  $bitXor: combined(0n, (a, b) => a ^ b),
  $bitNot: unary((value, name) => {
    if (isNullish(value)) return nullValue;
    if (!isNumber(value)) {
      throw new ServerError(28765, `${name} only supports numeric types, not ${typeOf(value)}`);
    }
    const bits = bitsOf(value, name);
    return value.type === bsonTypes.int ? int32(Number(~bits)) : int64(~bits);
  }),
};

function combined(neutral: bigint, combine: (a: bigint, b: bigint) => bigint): CompileExpression {
  return over(any, (args, name) => {
    let bits = neutral;
    let long = false;
    for (const value of args) {
      if (isNullish(value)) return nullValue;
      bits = combine(bits, bitsOf(value, name));
      long ||= value.type === bsonTypes.long;
    }
    return long ? int64(bits) : int32(Number(bits));
  });
}

function bitsOf(value: Value, name: string): bigint {
  if (value.type !== bsonTypes.int && value.type !== bsonTypes.long) {
    throw new ServerError(
      'TypeMismatch',
      `${name} only supports int and long operands, not ${typeOf(value)}`,
    );
  }
  return bigIntOf(value);
}
