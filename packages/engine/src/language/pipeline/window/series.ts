import { bsonTypes } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { double, type Element, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Statement } from '../../../statement/statement.ts';
import { parseUnit, positionsOf, wrong } from './frame.ts';
import type { Partition, Span, WindowFunction } from './partition.ts';
import { lengthOf, type TimeUnit } from './units.ts';
import type { FunctionContext, FunctionTable } from './window-function.ts';

/** Window functions that combine consecutive numbers, such as derivatives and integrals. */
export const seriesFunctions: FunctionTable = {
  $derivative: (operand, context) => overTime(operand, context, slopes),
  $integral: (operand, context) => overTime(operand, context, areas),
  $expMovingAvg: movingAverage,
};

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The points of a partition. Documents without a number have no point. */
interface Series {
  readonly points: readonly (Point | undefined)[];
  readonly statement: Statement;
}

/** Returns a function of windows. The windows are those of successive documents. */
type OfWindows = (series: Series, length: number) => (window: Span) => number | undefined;

/**
 * Compiles a function of the points in a window. The `x` of a point is the sort value. For dates, it is in
 * milliseconds, and the function converts differences of `x` to `unit`. Converting each date instead would lose its
 * last digits.
 */
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
    const points = ys.map((y, i) => (y === undefined ? undefined : { x: xs[i] as number, y }));
    const result = ofWindows({ points, statement }, length);
    return (place) => {
      const found = result(spanOf(place));
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

/** Computes the slope between the first and the last point of a window. */
function slopes({ points }: Series, length: number): (window: Span) => number | undefined {
  const after = new Int32Array(points.length + 1).fill(points.length);
  const before = new Int32Array(points.length).fill(-1);
  for (let i = points.length - 1; i >= 0; i--)
    after[i] = points[i] === undefined ? (after[i + 1] as number) : i;
  for (let i = 0; i < points.length; i++) before[i] = points[i] === undefined ? (before[i - 1] ?? -1) : i;
  return ({ from, to }) => {
    const [start = Number.POSITIVE_INFINITY, end = -1] = [after[from], before[to]];
    const [first, last] = [points[start], points[end]];
    if (start >= end || first === undefined || last === undefined || first.x === last.x) return undefined;
    return ((last.y - first.y) / (last.x - first.x)) * length;
  };
}

/** Computes the integral by the trapezoidal rule. If a window grew only at its end, adds the new areas. */
function areas({ points, statement }: Series, length: number): (window: Span) => number | undefined {
  let [start, next, sum] = [-1, 0, 0];
  let last: Point | undefined;
  return ({ from, to }) => {
    if (from !== start || to + 1 < next) [start, next, sum, last] = [from, from, 0, undefined];
    for (; next <= to; next++) {
      statement.check();
      const point = points[next];
      if (point === undefined) continue;
      if (last !== undefined) sum += ((last.y + point.y) / 2) * (point.x - last.x);
      last = point;
    }
    return last === undefined ? undefined : sum / length;
  };
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
