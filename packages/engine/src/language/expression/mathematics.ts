import { bsonTypes } from '../../bson/bson-types.ts';
import { bigIntOf, decimalForArithmetic, isDecimal } from '../../bson/numbers/arithmetic.ts';
import { fitsInt64, integerValue, toNumber } from '../../bson/numbers/convert.ts';
import {
  absolute,
  divideDecimals,
  negate,
  squareRoot,
  toWhole,
} from '../../bson/numbers/decimal-arithmetic.ts';
import {
  decimalLogarithm,
  exponential,
  naturalLogarithm,
  raise,
} from '../../bson/numbers/decimal-exponential.ts';
import {
  addDecimals,
  type Decimal,
  decimalFromInteger,
  decimalNaN,
  encodeDecimal,
  round,
} from '../../bson/numbers/decimal128.ts';
import { decimal, double, int64, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { type Argument, binary, folded, isNullish, typeOf, unary } from './operator.ts';

/** Functions of one or two numbers. */
export const mathematicsOperators: ExpressionTable = {
  $abs: numeric(magnitude),
  $ceil: numeric((value) => wholeFrom(value, Math.ceil, 'ceiling')),
  $floor: numeric((value) => wholeFrom(value, Math.floor, 'floor')),
  $exp: numeric((value) => realOf(value, Math.exp, exponential)),
  // The logarithm of NaN is a double, even if the NaN is a decimal.
  $ln: numeric((value) => {
    checkPositive('$ln', 28766, value);
    if (isNotANumber(value)) return double(Number.NaN);
    return realOf(value, Math.log, naturalLogarithm);
  }),
  $log10: numeric((value) => {
    checkPositive('$log10', 28761, value);
    if (isNotANumber(value)) return double(Number.NaN);
    return realOf(value, Math.log10, decimalLogarithm);
  }),
  $log: binary(logarithm),
  $pow: binary(power),
  // Here an array is a single argument, not a list of arguments.
  $sigmoid: (operand, compiler) => {
    const only = compiler.compile(operand);
    return folded(compiler, [only], (scope) => sigmoid(only.evaluate(scope)));
  },
  $sqrt: numeric((value) => {
    if (toNumber(value) < 0) {
      throw new ServerError(28714, "$sqrt's argument must be greater than or equal to 0");
    }
    return realOf(value, Math.sqrt, squareRoot);
  }),
};

/** Compiles a function of one number. The result for null is null; for other types, it is error 28765. */
export function numeric(apply: (value: Value, name: string) => Value): CompileExpression {
  return unary((value, name) => {
    if (isNullish(value)) return nullValue;
    if (!isNumber(value)) {
      throw new ServerError(28765, `${name} only supports numeric types, not ${typeOf(value)}`);
    }
    return apply(value, name);
  });
}

/** Applies `ofDecimal` to a decimal and `ofDouble` to any other number. */
export function realOf(
  value: Value,
  ofDouble: (value: number) => number,
  ofDecimal: (value: Decimal) => Decimal,
): Value {
  return isDecimal(value)
    ? decimal(encodeDecimal(ofDecimal(decimalForArithmetic(value))))
    : double(ofDouble(toNumber(value)));
}

function magnitude(value: Value): Value {
  if (value.type === bsonTypes.decimal || value.type === bsonTypes.double) {
    return realOf(value, Math.abs, absolute);
  }
  const whole = bigIntOf(value);
  const result = whole < 0n ? -whole : whole;
  if (!fitsInt64(result)) throw new ServerError(28680, "can't take $abs of long long min");
  return value.type === bsonTypes.int ? integerValue(result) : int64(result);
}

/** Rounds up or down to an integral value. Integers are returned unchanged. */
function wholeFrom(value: Value, ofDouble: (value: number) => number, mode: 'ceiling' | 'floor'): Value {
  if (value.type === bsonTypes.int || value.type === bsonTypes.long) return value;
  return realOf(value, ofDouble, (number) =>
    // The server returns NaN for an infinite decimal, unlike in `$round` and `$trunc`.
    number.kind === 'infinite' ? decimalNaN : toWhole(number, mode),
  );
}

function checkPositive(name: string, code: number, value: Value): void {
  if (toNumber(value) > 0 || Number.isNaN(toNumber(value))) return;
  // A positive decimal can be too small for a double and then reads as zero.
  if (isDecimal(value) && isPositive(decimalForArithmetic(value))) return;
  throw new ServerError(code, `${name}'s argument must be a positive number`);
}

function isPositive({ kind, negative, isZero }: Decimal): boolean {
  return kind !== 'nan' && !negative && !isZero;
}

function isNotANumber(value: Value): boolean {
  return Number.isNaN(toNumber(value));
}

function logarithm(value: Argument, base: Argument): Value {
  if (isNullish(value) || isNullish(base)) return nullValue;
  if (!isNumber(value)) throw new ServerError(28756, `$log's argument must be numeric, not ${typeOf(value)}`);
  if (!isNumber(base)) throw new ServerError(28757, `$log's base must be numeric, not ${typeOf(base)}`);
  checkPositive('$log', 28758, value);
  if (toNumber(base) <= 0 || toNumber(base) === 1) {
    throw new ServerError(28759, "$log's base must be a positive number not equal to 1");
  }
  if (isNotANumber(value) || isNotANumber(base)) return double(Number.NaN);
  if (!isDecimal(value) && !isDecimal(base))
    return double(Math.log(toNumber(value)) / Math.log(toNumber(base)));
  const [above, below] = [value, base].map((number) => naturalLogarithm(decimalForArithmetic(number)));
  return decimal(encodeDecimal(divideDecimals(above as Decimal, below as Decimal)));
}

function power(base: Argument, exponent: Argument): Value {
  if (isNullish(base) || isNullish(exponent)) return nullValue;
  if (!isNumber(base)) throw new ServerError(28762, `$pow's base must be numeric, not ${typeOf(base)}`);
  if (!isNumber(exponent)) {
    throw new ServerError(28763, `$pow's exponent must be numeric, not ${typeOf(exponent)}`);
  }
  if (toNumber(base) === 0 && toNumber(exponent) < 0) {
    throw new ServerError(28764, '$pow cannot take a base of 0 and a negative exponent');
  }
  if (isDecimal(base) || isDecimal(exponent)) {
    return decimal(encodeDecimal(raise(decimalForArithmetic(base), decimalForArithmetic(exponent))));
  }
  if (base.type === bsonTypes.double || exponent.type === bsonTypes.double) {
    return double(doublePower(toNumber(base), toNumber(exponent)));
  }
  const whole = wholePower(bigIntOf(base), bigIntOf(exponent));
  if (whole === undefined) return double(toNumber(base) ** toNumber(exponent));
  return base.type === bsonTypes.int && exponent.type === bsonTypes.int ? integerValue(whole) : int64(whole);
}

/**
 * C's `pow`. Unlike JavaScript's, it returns 1 for 1 to any power, and for -1 to the power of an infinity.
 */
function doublePower(base: number, exponent: number): number {
  if (base === 1 || (base === -1 && Math.abs(exponent) === Number.POSITIVE_INFINITY)) return 1;
  return base ** exponent;
}

/** Returns `undefined` if the result is no integer or exceeds int64. */
function wholePower(base: bigint, exponent: bigint): bigint | undefined {
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent < 0n || exponent > 63n) return undefined;
  const result = base ** exponent;
  return fitsInt64(result) ? result : undefined;
}

/** Returns 1 / (1 + e^-x). */
function sigmoid(value: Argument): Value {
  if (isNullish(value)) return nullValue;
  if (!isNumber(value)) {
    throw new ServerError('TypeMismatch', `$sigmoid only supports numeric types, not ${typeOf(value)}`);
  }
  const one = decimalFromInteger(1n);
  return realOf(
    value,
    (x) => 1 / (1 + Math.exp(-x)),
    (x) => divideDecimals(one, round(addDecimals(one, exponential(negate(x))))),
  );
}
