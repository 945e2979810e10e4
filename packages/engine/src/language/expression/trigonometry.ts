import { decimalForArithmetic, isDecimal } from '../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../bson/numbers/convert.ts';
import { divideDecimals, multiplyDecimals } from '../../bson/numbers/decimal-arithmetic.ts';
import {
  arccosine,
  arcsine,
  arctangent,
  arctangent2,
  cosine,
  hyperbolicArccosine,
  hyperbolicArcsine,
  hyperbolicArctangent,
  hyperbolicCosine,
  hyperbolicSine,
  hyperbolicTangent,
  pi,
  sine,
  tangent,
} from '../../bson/numbers/decimal-trigonometry.ts';
import { type Decimal, decimalFromInteger, encodeDecimal } from '../../bson/numbers/decimal128.ts';
import { cosineOf, sineOf } from '../../bson/numbers/trigonometry.ts';
import { decimal, double, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { CompileExpression, ExpressionTable } from './expression.ts';
import { numeric, realOf } from './mathematics.ts';
import { type Argument, binary, isNullish, typeOf } from './operator.ts';

const infinity = Number.POSITIVE_INFINITY;

export const trigonometryOperators: ExpressionTable = {
  $sin: within(isFinite_, sineOf, sine),
  $cos: within(isFinite_, cosineOf, cosine),
  $tan: within(isFinite_, Math.tan, tangent),
  $asin: within(between(-1, 1), Math.asin, arcsine),
  $acos: within(between(-1, 1), Math.acos, arccosine),
  $atan: within(everywhere, Math.atan, arctangent),
  $atan2: binary(angle),
  $sinh: within(everywhere, Math.sinh, hyperbolicSine),
  $cosh: within(everywhere, Math.cosh, hyperbolicCosine),
  $tanh: within(everywhere, Math.tanh, hyperbolicTangent),
  $asinh: within(everywhere, Math.asinh, hyperbolicArcsine),
  $acosh: within(between(1, infinity), Math.acosh, hyperbolicArccosine),
  $atanh: within(between(-1, 1), Math.atanh, hyperbolicArctangent),
  $degreesToRadians: within(
    everywhere,
    (x) => x * (Math.PI / 180),
    (x) => multiplyDecimals(x, divideDecimals(pi, decimalFromInteger(180n))),
  ),
  $radiansToDegrees: within(
    everywhere,
    (x) => x * (180 / Math.PI),
    (x) => multiplyDecimals(x, divideDecimals(decimalFromInteger(180n), pi)),
  ),
};

function everywhere(): boolean {
  return true;
}

function isFinite_(value: number): boolean {
  return Math.abs(value) !== infinity;
}

function between(least: number, most: number): (value: number) => boolean {
  return (value) => !(value < least || value > most);
}

/** Compiles a function that is defined only for arguments that `allowed` accepts. NaN yields NaN. */
function within(
  allowed: (value: number) => boolean,
  ofDouble: (value: number) => number,
  ofDecimal: (value: Decimal) => Decimal,
): CompileExpression {
  return numeric((value, name) => {
    if (!allowed(toNumber(value))) {
      throw new ServerError(50989, `cannot apply ${name} to ${toNumber(value)}, which is out of its range`);
    }
    return realOf(value, ofDouble, (number) => (number.kind === 'nan' ? number : ofDecimal(number)));
  });
}

function angle(y: Argument, x: Argument, name: string): Value {
  if (isNullish(y) || isNullish(x)) return nullValue;
  for (const value of [y, x]) {
    if (!isNumber(value)) {
      throw new ServerError(51044, `${name} only supports numeric types, not ${typeOf(y)} and ${typeOf(x)}`);
    }
  }
  if (!isDecimal(y) && !isDecimal(x)) return double(Math.atan2(toNumber(y), toNumber(x)));
  return decimal(encodeDecimal(arctangent2(decimalForArithmetic(y), decimalForArithmetic(x))));
}
