import { bsonTypes } from '../../../bson/bson-types.ts';
import {
  addNumbers,
  decimalForArithmetic,
  multiplyNumbers,
  subtractNumbers,
} from '../../../bson/numbers/arithmetic.ts';
import { compareNumbers } from '../../../bson/numbers/compare.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { encodeDecimal } from '../../../bson/numbers/decimal128.ts';
import { divideNumbers } from '../../../bson/numbers/division.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import {
  decimal,
  double,
  type Element,
  int32,
  int64,
  isNumber,
  nullValue,
  type Value,
} from '../../../bson/value.ts';
import { wrong } from './frame.ts';
import type { WindowFunction } from './partition.ts';
import type { FunctionContext, FunctionTable } from './window-function.ts';

export const averageFunctions: FunctionTable = { $expMovingAvg: movingAverage };

/**
 * Computes an exponential moving average. Like the server, calculates with decimals, and returns doubles until an input
 * is a decimal.
 */
function movingAverage(operand: Element, { compile, windowSpec, sort }: FunctionContext): WindowFunction {
  if (windowSpec !== undefined) throw wrong('$expMovingAvg does not accept a window field');
  if (operand.type !== bsonTypes.object) throw wrong('$expMovingAvg must have an argument object');
  const doc = documentOf(operand);
  const [input, count, alphaSpec] = [doc.get('input'), doc.get('N'), doc.get('alpha')];
  if (input === undefined || (count === undefined) === (alphaSpec === undefined) || doc.count() !== 2) {
    throw wrong("$expMovingAvg must have 'input' and exactly one of 'N' and 'alpha'");
  }
  if (sort === undefined) throw wrong('$expMovingAvg requires an explicit sortBy');
  const alpha = alphaOf(count, alphaSpec);
  const rest = subtractNumbers(asDecimal(int32(1)), alpha);
  const expression = compile(input);
  return ({ docs }) => {
    let average: Value | undefined;
    let exact = false;
    return (place) => {
      const value = expression.evaluate({ root: docs[place] as RawDocument });
      if (value !== undefined && isNumber(value)) {
        exact ||= value.type === bsonTypes.decimal;
        const number = asDecimal(value);
        average = average === undefined ? number : weighted(number, alpha, average, rest);
      }
      if (average === undefined) return nullValue;
      return exact ? average : double(toNumber(average));
    };
  };
}

function weighted(value: Value, alpha: Value, average: Value, rest: Value): Value {
  return addNumbers(multiplyNumbers(value, alpha), multiplyNumbers(average, rest)) ?? nullValue;
}

function asDecimal(value: Value): Value {
  return decimal(encodeDecimal(decimalForArithmetic(value)));
}

function alphaOf(count: Value | undefined, alpha: Value | undefined): Value {
  if (count !== undefined) {
    const whole = isNumber(count) ? exactInteger(count) : undefined;
    if (whole === undefined || whole <= 0n) throw wrong("'N' field must be an integer greater than zero");
    const divisor = addNumbers(asDecimal(int64(whole)), int32(1)) ?? nullValue;
    return divideNumbers(asDecimal(int32(2)), divisor) ?? nullValue;
  }
  if (alpha !== undefined && isNumber(alpha)) {
    const share = asDecimal(alpha);
    if (compareNumbers(share, int32(0)) > 0 && compareNumbers(share, int32(1)) < 0) return share;
  }
  throw wrong("'alpha' must be between 0 and 1 (exclusive)");
}
