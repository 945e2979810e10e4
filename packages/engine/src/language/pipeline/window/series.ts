import { bsonTypes } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { double, type Element, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { parseUnit, positionsOf, wrong } from './frame.ts';
import type { Partition, WindowFunction } from './partition.ts';
import { lengthOf, type TimeUnit } from './units.ts';
import type { FunctionContext, FunctionTable } from './window-function.ts';

/** Window functions that combine consecutive numbers, such as derivatives and integrals. */
export const seriesFunctions: FunctionTable = {
  $derivative: (operand, context) => overTime(operand, context, slope),
  $integral: (operand, context) => overTime(operand, context, area),
  $expMovingAvg: movingAverage,
};

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Compiles a function of the points in a window. The `x` of a point is the sort value, for dates in milliseconds. The
 * function converts differences of `x` to the unit in the option `unit`: converted dates would lose their last digits.
 */
function overTime(
  operand: Element,
  { compile, window, windowSpec, sort, environment: { statement } }: FunctionContext,
  result: (points: readonly Point[], length: number) => number | undefined,
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
  const unitSpec = doc.get('unit');
  const unit = unitSpec && parseUnit(unitSpec);
  const length = unit === undefined ? 1 : lengthOf(unit);
  if (length === undefined) {
    throw new ServerError(5490704, 'unit must be week or smaller');
  }
  if (windowSpec === undefined && name === '$derivative') {
    throw wrong(`${name} requires explicit window bounds`);
  }
  if (sort?.parts.length !== 1) throw wrong(`${name} requires a sortBy of one field`);
  const expression = compile(input);
  return (partition) => {
    const xs = pointsOf(partition, unit);
    const ys = partition.docs.map((root) => yOf(expression.evaluate({ root }), name));
    const spanOf = window.frame(partition);
    return (place) => {
      const { from, to } = spanOf(place);
      const points: Point[] = [];
      for (let i = from; i <= to; i++) {
        statement.check();
        const y = ys[i];
        if (y !== undefined) points.push({ x: xs[i] as number, y });
      }
      const found = result(points, length);
      return found === undefined ? nullValue : double(found);
    };
  };
}

function pointsOf(partition: Partition, unit: TimeUnit | undefined): number[] {
  return positionsOf(partition, unit === undefined ? undefined : 'millisecond');
}

function yOf(value: Value | undefined, name: string): number | undefined {
  if (value === undefined || value.type === bsonTypes.null) return undefined;
  if (isNumber(value)) return toNumber(value);
  throw new ServerError(5624900, `${name} input must not be a Date and must be a number`);
}

function slope(points: readonly Point[], length: number): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || points.length < 2) return undefined;
  return first.x === last.x ? undefined : ((last.y - first.y) / (last.x - first.x)) * length;
}

/** Computes the integral by the trapezoidal rule. */
function area(points: readonly Point[], length: number): number | undefined {
  if (points.length === 0) return undefined;
  let sum = 0;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1] as Point, points[i] as Point];
    sum += ((a.y + b.y) / 2) * (b.x - a.x);
  }
  return sum / length;
}

function movingAverage(operand: Element, { compile, windowSpec, sort }: FunctionContext): WindowFunction {
  if (windowSpec !== undefined) throw wrong('$expMovingAvg does not accept a window field');
  if (sort === undefined) throw wrong('$expMovingAvg requires an explicit sortBy');
  if (operand.type !== bsonTypes.object) throw wrong('$expMovingAvg must have an argument object');
  const doc = documentOf(operand);
  const [input, count, alphaSpec] = [doc.get('input'), doc.get('N'), doc.get('alpha')];
  if (input === undefined || (count === undefined) === (alphaSpec === undefined)) {
    throw wrong("$expMovingAvg must have 'input' and exactly one of 'N' and 'alpha'");
  }
  const alpha = alphaOf(count, alphaSpec);
  const expression = compile(input);
  return ({ docs }) => {
    let average: number | undefined;
    return (place) => {
      const value = expression.evaluate({ root: docs[place] as RawDocument });
      if (value !== undefined && isNumber(value)) {
        const number = toNumber(value);
        average = average === undefined ? number : number * alpha + average * (1 - alpha);
      }
      return average === undefined ? nullValue : double(average);
    };
  };
}

function alphaOf(count: Value | undefined, alpha: Value | undefined): number {
  if (count !== undefined) {
    const whole = isNumber(count) ? exactInteger(count) : undefined;
    if (whole === undefined || whole <= 0n) throw wrong("'N' field must be an integer greater than zero");
    return 2 / (Number(whole) + 1);
  }
  const number = alpha !== undefined && isNumber(alpha) ? toNumber(alpha) : Number.NaN;
  if (!(number > 0 && number < 1)) throw wrong("'alpha' must be between 0 and 1 (exclusive)");
  return number;
}
