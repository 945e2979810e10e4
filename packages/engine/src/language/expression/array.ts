import { bsonTypes } from '../../bson/bson-types.ts';
import type { Comparison } from '../../bson/collation/comparison.ts';
import { describe } from '../../bson/describe.ts';
import { entriesOf } from '../../bson/raw.ts';
import { bool, int32, isNumber, nullValue, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { int32Argument } from './coerce.ts';
import { compareArguments } from './comparison.ts';
import type { ExpressionTable } from './expression.ts';
import { arrayOf } from './field-path.ts';
import { type Argument, any, binary, isNullish, over, typeOf, unary } from './operator.ts';

/** Operators that inspect or slice arrays. */
export const arrayOperators: ExpressionTable = {
  $arrayElemAt: binary(elementAtIndex),
  $first: unary((value, name) => endOf(value, name, 0)),
  $last: unary((value, name) => endOf(value, name, -1)),
  $concatArrays: over(any, concatenate),
  $in: (operand, compiler) =>
    binary((value, array, name) => includes(value, array, name, compiler.comparison))(operand, compiler),
  $indexOfArray: (operand, compiler) =>
    over([2, 4], (args, name) => indexOf(args, name, compiler.comparison))(operand, compiler),
  $isArray: unary((value) => bool(value?.type === bsonTypes.array)),
  $range: over([2, 3], range),
  $reverseArray: unary((value) => {
    if (isNullish(value)) return nullValue;
    return arrayOf(arrayArgument(value, '$reverseArray', 34435).reverse());
  }),
  $size: unary((value) => int32(arrayArgument(value, '$size', 17124).length)),
  $slice: over([2, 3], slice),
};

export function arrayArgument(value: Argument, name: string, code: number): Value[] {
  if (value?.type !== bsonTypes.array) {
    throw new ServerError(
      code,
      `The argument to ${name} must be an array, but was of type: ${typeOf(value)}`,
    );
  }
  return entriesOf(value);
}

function elementAtIndex(array: Argument, index: Argument, name: string): Argument {
  if (isNullish(array) || isNullish(index)) return nullValue;
  const entries = arrayArgument(array, name, 28689);
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
  return entries.at(position);
}

function endOf(value: Argument, name: string, index: number): Argument {
  return isNullish(value) ? nullValue : arrayArgument(value, name, 28689).at(index);
}

function concatenate(args: readonly Argument[], name: string): Value {
  const all: Value[] = [];
  for (const value of args) {
    if (isNullish(value)) return nullValue;
    all.push(...arrayArgument(value, name, 28664));
  }
  return arrayOf(all);
}

function includes(value: Argument, array: Argument, name: string, { compare }: Comparison): Value {
  const entries = arrayArgument(array, name, 40081);
  return bool(entries.some((entry) => compareArguments(entry, value, compare) === 0));
}

function indexOf(args: readonly Argument[], name: string, { compare }: Comparison): Value {
  const [array, value, from, to] = args;
  if (isNullish(array)) return nullValue;
  const entries = arrayArgument(array, name, 40090);
  const start = args.length < 3 ? 0 : searchBound(from, name);
  const end = args.length < 4 ? entries.length : Math.min(searchBound(to, name), entries.length);
  for (let i = start; i < end; i++) {
    if (compareArguments(entries[i], value, compare) === 0) return int32(i);
  }
  return int32(-1);
}

function searchBound(value: Argument, name: string): number {
  const bound = value && int32Argument(value);
  if (bound === undefined) throw new ServerError(9711600, `${name} requires an integral index`);
  if (bound < 0) throw new ServerError(9711601, `${name} requires a nonnegative index, found: ${bound}`);
  return bound;
}

function range([from, to, by]: readonly Argument[]): Value {
  const start = rangeArgument(from, 'starting', 34443, 34444);
  const end = rangeArgument(to, 'ending', 34445, 34446);
  const step = by === undefined ? 1 : rangeArgument(by, 'step', 34447, 34448);
  if (step === 0) throw new ServerError(34449, '$range requires a non-zero step value');
  const values: Value[] = [];
  for (let i = start; step > 0 ? i < end : i > end; i += step) values.push(int32(i));
  return arrayOf(values);
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

function slice(args: readonly Argument[], name: string): Value {
  const [array, second, third] = args;
  if (isNullish(array) || isNullish(second)) return nullValue;
  const entries = arrayArgument(array, name, 28724);
  const first = sliceArgument(second, 'Second');
  if (args.length < 3) {
    return arrayOf(first >= 0 ? entries.slice(0, first) : entries.slice(first));
  }
  if (isNullish(third)) return nullValue;
  const count = sliceArgument(third, 'Third');
  if (count <= 0) throw new ServerError(28729, `Third argument to $slice must be positive: ${count}`);
  const start = first < 0 ? Math.max(0, entries.length + first) : first;
  return arrayOf(entries.slice(start, start + count));
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
