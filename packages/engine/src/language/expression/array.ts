import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { describe } from '../../bson/describe.ts';
import { documentOf } from '../../bson/raw.ts';
import { bool, int32, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Statement } from '../../statement/statement.ts';
import { int32Argument } from './coerce.ts';
import { compareArguments } from './comparison.ts';
import { ArrayBuilder, arrayFrom, listOf } from './entries.ts';
import type { ExpressionTable } from './expression.ts';
import { type Argument, any, binary, isNullish, over, typeOf, unary } from './operator.ts';

/** Operators that inspect or slice arrays. */
export const arrayOperators: ExpressionTable = {
  $arrayElemAt: binary(elementAtIndex),
  $first: unary((value, name, statement) => endOf(value, name, 0, statement)),
  $last: unary((value, name, statement) => endOf(value, name, -1, statement)),
  $concatArrays: over(any, concatenate),
  $in: (operand, compiler) =>
    binary((value, array, name, statement) =>
      bool(placeOf(arrayOrFail(array, name, 40081), value, compiler.comparison, statement) >= 0),
    )(operand, compiler),
  $indexOfArray: (operand, compiler) =>
    over([2, 4], (args, name, statement) => indexOf(args, name, compiler.comparison, statement))(
      operand,
      compiler,
    ),
  $isArray: unary((value) => bool(value?.type === bsonTypes.array)),
  $range: over([2, 3], range),
  $reverseArray: unary((value, name, statement) => {
    if (isNullish(value)) return nullValue;
    return arrayFrom(arrayArgument(value, name, 34435, statement).reverse(), statement, name);
  }),
  $size: unary((value, name, statement) => int32(lengthOf(arrayOrFail(value, name, 17124), statement))),
  $slice: over([2, 3], slice),
};

/** Throws unless the value is an array. */
function arrayOrFail(value: Argument, name: string, code: number): Value {
  if (value?.type === bsonTypes.array) return value;
  throw new ServerError(code, `The argument to ${name} must be an array, but was of type: ${typeOf(value)}`);
}

/** Returns the entries as a list in memory. The statement counts this memory. */
export function arrayArgument(value: Argument, name: string, code: number, statement: Statement): Value[] {
  return listOf(arrayOrFail(value, name, code), statement, name);
}

function lengthOf(array: Value, statement: Statement): number {
  let length = 0;
  for (const _ of documentOf(array)) {
    statement.check();
    length++;
  }
  return length;
}

function elementAtIndex(array: Argument, index: Argument, name: string, statement: Statement): Argument {
  if (isNullish(array) || isNullish(index)) return nullValue;
  const entries = arrayOrFail(array, name, 28689);
  if (!isNumber(index)) {
    throw new ServerError(
      28690,
      `${name}'s second argument must be a numeric value, but is ${typeOf(index)}`,
    );
  }
  const position = int32Argument(index);
  if (position === undefined) {
    throw new ServerError(28691, `${name}'s second argument must be a 32-bit integer: ${describe(index)}`);
  }
  return entryAt(entries, position, statement);
}

/** Returns the entry at a position. A negative position counts from the end. */
function entryAt(array: Value, position: number, statement: Statement): Argument {
  const wanted = position < 0 ? lengthOf(array, statement) + position : position;
  let at = 0;
  for (const entry of documentOf(array)) {
    statement.check();
    if (at++ === wanted) return entry;
  }
  return undefined;
}

function endOf(value: Argument, name: string, index: number, statement: Statement): Argument {
  return isNullish(value) ? nullValue : entryAt(arrayOrFail(value, name, 28689), index, statement);
}

function concatenate(args: readonly Argument[], name: string, statement: Statement): Value {
  const all = new ArrayBuilder(statement, name);
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    for (const entry of documentOf(arrayOrFail(value, name, 28664))) all.add(entry);
  }
  return all.finish();
}

/** Returns the position of the first equal entry from `start` up to `end`, or -1. */
function placeOf(
  array: Value,
  value: Argument,
  { compare }: Comparison,
  statement: Statement,
  start = 0,
  end = Number.POSITIVE_INFINITY,
): number {
  let at = 0;
  for (const entry of documentOf(array)) {
    statement.check();
    if (at >= end) return -1;
    if (at >= start && compareArguments(entry, value, compare) === 0) return at;
    at++;
  }
  return -1;
}

function indexOf(
  args: readonly Argument[],
  name: string,
  comparison: Comparison,
  statement: Statement,
): Value {
  const [array, value, from, to] = args;
  if (isNullish(array)) return nullValue;
  const entries = arrayOrFail(array, name, 40090);
  const start = args.length < 3 ? 0 : searchBound(from, name);
  const end = args.length < 4 ? Number.POSITIVE_INFINITY : searchBound(to, name);
  return int32(placeOf(entries, value, comparison, statement, start, end));
}

function searchBound(value: Argument, name: string): number {
  const bound = value && int32Argument(value);
  if (bound === undefined) throw new ServerError(9711600, `${name} requires an integral index`);
  if (bound < 0) throw new ServerError(9711601, `${name} requires a nonnegative index, found: ${bound}`);
  return bound;
}

function range([from, to, by]: readonly Argument[], name: string, statement: Statement): Value {
  const start = rangeArgument(from, 'starting', 34443, 34444);
  const end = rangeArgument(to, 'ending', 34445, 34446);
  const step = by === undefined ? 1 : rangeArgument(by, 'step', 34447, 34448);
  if (step === 0) throw new ServerError(34449, '$range requires a non-zero step value');
  const values = new ArrayBuilder(statement, name);
  for (let i = start; step > 0 ? i < end : i > end; i += step) values.add(int32(i));
  return values.finish();
}

function rangeArgument(value: Argument, which: string, notNumber: number, notInt32: number): number {
  if (value === undefined || !isNumber(value)) {
    throw new ServerError(
      notNumber,
      `$range requires a numeric ${which} value, found value of type: ${typeOf(value)}`,
    );
  }
  const whole = int32Argument(value);
  if (whole === undefined) {
    throw new ServerError(
      notInt32,
      `$range requires a ${which} value that can be represented as a 32-bit integer`,
    );
  }
  return whole;
}

function slice(args: readonly Argument[], name: string, statement: Statement): Value {
  const [array, second, third] = args;
  if (isNullish(array) || isNullish(second)) return nullValue;
  const entries = arrayOrFail(array, name, 28724);
  const first = sliceArgument(second, 'Second');
  if (args.length < 3) {
    return first >= 0 ? sliceOf(entries, 0, first, statement) : endSlice(entries, first, -first, statement);
  }
  if (isNullish(third)) return nullValue;
  const count = sliceArgument(third, 'Third');
  if (count <= 0) throw new ServerError(28729, `Third argument to $slice must be positive: ${count}`);
  return first >= 0 ? sliceOf(entries, first, count, statement) : endSlice(entries, first, count, statement);
}

/** Returns at most `count` entries from the position `first`, which is negative and counts from the end. */
function endSlice(array: Value, first: number, count: number, statement: Statement): Value {
  return sliceOf(array, Math.max(0, lengthOf(array, statement) + first), count, statement);
}

function sliceOf(array: Value, start: number, count: number, statement: Statement): Value {
  const slice = new ArrayBuilder(statement, '$slice');
  let at = 0;
  for (const entry of documentOf(array)) {
    statement.check();
    if (at >= start + count) break;
    if (at >= start) slice.add(entry);
    at++;
  }
  return slice.finish();
}

function sliceArgument(value: Value, which: string): number {
  if (!isNumber(value)) {
    throw new ServerError(
      28725,
      `${which} argument to $slice must be numeric, but is of type: ${typeOf(value)}`,
    );
  }
  const whole = int32Argument(value);
  if (whole === undefined) {
    throw new ServerError(28726, `${which} argument to $slice can't be represented as a 32-bit integer`);
  }
  return whole;
}
