import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { addNumbers, multiplyNumbers } from '../../../bson/numbers/arithmetic.ts';
import { isNaNValue } from '../../../bson/numbers/compare.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { divideNumbers } from '../../../bson/numbers/division.ts';
import { NumberSum } from '../../../bson/numbers/sum.ts';
import { documentOf } from '../../../bson/raw.ts';
import { double, type Element, int32, int64, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Statement } from '../../../statement/statement.ts';
import { subtract } from '../../expression/arithmetic.ts';
import { isNullish } from '../../expression/operator.ts';
import { parseUnit, wrong } from './frame.ts';
import type { Span, WindowFunction } from './partition.ts';
import { lengthOf } from './units.ts';
import type { FunctionContext, FunctionTable } from './window-function.ts';

/** Window functions that combine consecutive numbers. */
export const seriesFunctions: FunctionTable = {
  $derivative: (operand, context) => overTime(operand, context, slopes),
  $integral: (operand, context) => overTime(operand, context, areas),
};

/** `x` is the sort value of a document, and `y` the input. */
interface Point {
  readonly x: Value | undefined;
  readonly y: Value | undefined;
}

interface Series {
  readonly pointAt: (place: number) => Point;
  readonly statement: Statement;
  /** The milliseconds of the unit; undefined if the sort values must be numbers instead of dates. */
  readonly length: Value | undefined;
}

/** Returns a function of windows. The windows are those of successive documents. */
type OfWindows = (series: Series) => (window: Span) => Value;

/** Compiles a function of the points in a window. The result has the type that the arithmetic of expressions has. */
function overTime(
  operand: Element,
  { compile, window, windowSpec, sort, environment: { statement } }: FunctionContext,
  ofWindows: OfWindows,
): WindowFunction {
  const { name } = operand;
  if (operand.type !== bsonTypes.object) throw wrong(`${name} expects an object`);
  const doc = documentOf(operand);
  for (const element of doc) {
    if (element.name !== 'input' && element.name !== 'unit') {
      throw wrong(`${name} got unexpected argument: ${element.name}`);
    }
  }
  const input = doc.get('input');
  if (input === undefined) throw wrong(`${name} requires an 'input' expression`);
  const unit = doc.get('unit');
  const length = unit && millisecondsOf(unit);
  if (windowSpec === undefined && name === '$derivative') {
    throw wrong(`${name} requires explicit window bounds`);
  }
  if (sort?.parts.length !== 1) throw wrong(`${name} requires a sortBy of one field`);
  const expression = compile(input);
  return (partition) => {
    const spanOf = window.frame(partition);
    const pointAt = (place: number) => {
      const root = partition.docs[place];
      if (root === undefined) return { x: undefined, y: undefined };
      return { x: partition.sortValue?.evaluate({ root }), y: expression.evaluate({ root }) };
    };
    const result = ofWindows({ pointAt, statement, length });
    return (place) => result(spanOf(place));
  };
}

function millisecondsOf(unit: Value): Value {
  const length = lengthOf(parseUnit(unit));
  if (length === undefined) throw new ServerError(5490710, "unit must be 'week' or smaller");
  return int64(BigInt(length));
}

/** Computes the slope between the first and the last point of a window. */
function slopes({ pointAt, length }: Series): (window: Span) => Value {
  return ({ from, to }) => {
    if (to < from) return nullValue;
    const [first, last] = [pointAt(from), pointAt(to)];
    checkRun(first.x, last.x, length !== undefined);
    const rise = subtract(last.y, first.y);
    if (isNullish(rise)) throw new ServerError(5624903, '$derivative input must not be null or missing');
    if (!isNumber(rise)) {
      throw new ServerError(
        'TypeMismatch',
        `$derivative only supports numeric inputs, not ${typeName(rise.type)}`,
      );
    }
    const slope = divideNumbers(rise, subtract(last.x, first.x));
    if (slope === undefined) return nullValue;
    return length === undefined ? slope : multiplyNumbers(slope, length);
  };
}

function checkRun(first: Value | undefined, last: Value | undefined, dates: boolean): void {
  const both = [first, last];
  if (dates) {
    if (both.every((x) => x?.type === bsonTypes.date)) return;
    throw new ServerError(5624900, "$derivative with 'unit' expects the sortBy field to be a Date");
  }
  if (both.some((x) => x?.type === bsonTypes.date)) {
    throw new ServerError(5624901, "$derivative where the sortBy is a Date requires an 'unit'");
  }
  if (both.every((x) => x !== undefined && isNumber(x))) return;
  throw new ServerError(5624902, "$derivative (with no 'unit') expects the sortBy field to be numeric");
}

/** Computes the integral by the trapezoidal rule. If a window grew only at its end, adds the new areas. */
function areas({ pointAt, statement, length }: Series): (window: Span) => Value {
  let [start, next] = [-1, 0];
  let sum = new NumberSum();
  let last: Point | undefined;
  let hasNaN = false;
  return ({ from, to }) => {
    if (from !== start || to + 1 < next) {
      [start, next] = [from, from];
      [sum, last, hasNaN] = [new NumberSum(), undefined, false];
    }
    for (; next <= to; next++) {
      statement.check();
      const point = checkedPoint(pointAt(next), length !== undefined);
      hasNaN ||= isNaNPoint(point);
      if (last !== undefined) sum.add(areaBetween(last, point));
      last = point;
    }
    if (last === undefined) return nullValue;
    if (hasNaN) return double(Number.NaN);
    return length === undefined ? sum.result() : (divideNumbers(sum.result(), length) ?? nullValue);
  };
}

function checkedPoint(point: Point, dates: boolean): Point {
  const { x, y } = point;
  const isDate = x?.type === bsonTypes.date;
  if (y === undefined || !isNumber(y) || !(isDate || (x !== undefined && isNumber(x)))) {
    throw new ServerError(5423900, '$integral needs a number or date as sort value, and a number as input');
  }
  if (dates && !isDate) {
    throw new ServerError(5423901, "$integral with 'unit' expects the sortBy field to be a Date");
  }
  if (!dates && isDate) {
    throw new ServerError(5423902, "$integral (with no 'unit') expects the sortBy field to be numeric");
  }
  return point;
}

function isNaNPoint({ x, y }: Point): boolean {
  return [x, y].some((value) => value !== undefined && isNumber(value) && isNaNValue(value));
}

function areaBetween(before: Point, after: Point): Value {
  const [low, high] = [before.y as Value, after.y as Value];
  if (isNaNPoint(before) || isNaNPoint(after)) return int32(0);
  const height = addNumbers(low, high) ?? double(toNumber(low) + toNumber(high));
  return divideNumbers(multiplyNumbers(height, subtract(after.x, before.x)), double(2)) ?? nullValue;
}
