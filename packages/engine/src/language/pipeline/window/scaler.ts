import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { addNumbers, multiplyNumbers, subtractNumbers } from '../../../bson/numbers/arithmetic.ts';
import { compareNumbers } from '../../../bson/numbers/compare.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { divideNumbers } from '../../../bson/numbers/division.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { double, type Element, int32, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Statement } from '../../../statement/statement.ts';
import { wrong } from './frame.ts';
import type { Span, WindowFunction } from './partition.ts';
import type { FunctionContext, FunctionTable } from './window-function.ts';

export const scalerFunctions: FunctionTable = { $minMaxScaler: minMaxScaler };

interface Range {
  readonly least: Value;
  readonly most: Value;
}

/** Scales numbers linearly, so that the numbers of the window fill the range from `min` to `max`. */
function minMaxScaler(operand: Element, context: FunctionContext): WindowFunction {
  const { compile, window, environment } = context;
  const { input, target } = argumentsOf(operand, context);
  if (!window.hasCurrent) throw wrong('The window of $minMaxScaler must contain the current document');
  const expression = compile(input);
  return (partition) => {
    const numberAt = (place: number) =>
      numberOf(expression.evaluate({ root: partition.docs[place] as RawDocument }));
    const spanOf = window.frame(partition);
    const extremes = new Extremes(numberAt, environment.statement);
    return (place) => {
      const found = extremes.over(spanOf(place));
      return found === undefined ? nullValue : scaled(numberAt(place), found, target);
    };
  };
}

/** Reads `{input, min, max}`. Any other operand is the input itself. */
function argumentsOf(operand: Element, context: FunctionContext): { input: Value; target: Range } {
  const doc = operand.type === bsonTypes.object ? documentOf(operand) : undefined;
  const [first] = doc ?? [];
  if (doc === undefined || first?.name.startsWith('$')) {
    return { input: operand, target: { least: int32(0), most: int32(1) } };
  }
  for (const { name } of doc) {
    if (name !== 'input' && name !== 'min' && name !== 'max') {
      throw new ServerError(40415, `BSON field '$minMaxScaler.${name}' is an unknown field.`);
    }
  }
  const input = doc.get('input');
  if (input === undefined) {
    throw new ServerError(40414, "BSON field '$minMaxScaler.input' is missing but a required field");
  }
  if (doc.has('min') !== doc.has('max')) throw wrong("$minMaxScaler needs both 'min' and 'max', or neither");
  const bound = (name: 'min' | 'max', usual: number) => {
    const spec = doc.get(name);
    if (spec === undefined) return int32(usual);
    const value = context.compile(spec).constant;
    if (value !== undefined && isNumber(value)) return value;
    throw wrong(`'${name}' of $minMaxScaler must be a constant number`);
  };
  const target = { least: bound('min', 0), most: bound('max', 1) };
  if (!(compareNumbers(target.least, target.most) < 0)) {
    throw wrong("'min' of $minMaxScaler must be less than 'max'");
  }
  return { input, target };
}

function numberOf(value: Value | undefined): Value {
  if (value !== undefined && isNumber(value)) return value;
  throw new ServerError(
    'TypeMismatch',
    `$minMaxScaler requires a numeric input, but got a value of type ${typeName(value?.type)}`,
  );
}

/** If all numbers of the window are equal, each becomes the least number of the target. */
function scaled(value: Value, { least, most }: Range, target: Range): Value {
  const share = divideNumbers(subtractNumbers(value, least), subtractNumbers(most, least));
  if (share === undefined) return target.least;
  const product = multiplyNumbers(share, subtractNumbers(target.most, target.least));
  return addNumbers(product, target.least) ?? double(toNumber(product) + toNumber(target.least));
}

/**
 * Finds the least and the greatest number in successive windows. Each list contains the places that can still become
 * the extreme, so each number is read once while the windows move forward.
 */
class Extremes {
  readonly #numberAt: (place: number) => Value;
  readonly #statement: Statement;
  #next = 0;
  #from = 0;
  #lists: Lists = emptyLists();

  constructor(numberAt: (place: number) => Value, statement: Statement) {
    this.#numberAt = numberAt;
    this.#statement = statement;
  }

  over({ from, to }: Span): Range | undefined {
    if (from < this.#from || to + 1 < this.#next) {
      this.#next = from;
      this.#lists = emptyLists();
    }
    this.#from = from;
    const { least, most } = this.#lists;
    for (this.#next = Math.max(this.#next, from); this.#next <= to; this.#next++) {
      this.#statement.check();
      const value = this.#numberAt(this.#next);
      append(least, { place: this.#next, value }, 1);
      append(most, { place: this.#next, value }, -1);
    }
    const [lowest, highest] = [least, most].map((list) => firstFrom(list, from));
    return lowest && highest && { least: lowest.value, most: highest.value };
  }
}

interface Candidate {
  readonly place: number;
  readonly value: Value;
}

interface Lists {
  readonly least: Candidate[];
  readonly most: Candidate[];
}

function emptyLists(): Lists {
  return { least: [], most: [] };
}

/** Removes the candidates that the new one surpasses in the direction. */
function append(list: Candidate[], candidate: Candidate, direction: 1 | -1): void {
  for (let last = list.at(-1); last !== undefined; last = list.at(-1)) {
    if (compareNumbers(last.value, candidate.value) * direction < 0) break;
    list.pop();
  }
  list.push(candidate);
}

function firstFrom(list: Candidate[], from: number): Candidate | undefined {
  while (list[0] !== undefined && list[0].place < from) list.shift();
  return list[0];
}
