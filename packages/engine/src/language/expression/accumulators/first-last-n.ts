import { firstIndex } from '@portolan/foundation/first-index';
import { bsonTypes } from '../../../bson/bson-types.ts';
import { byBytes, type Comparison } from '../../../bson/collation/comparison.ts';
import { describe } from '../../../bson/describe.ts';
import { exactInteger } from '../../../bson/numbers/integers.ts';
import { documentOf, type RawDocument } from '../../../bson/raw.ts';
import { type Element, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { compileSort, type Sort } from '../../sort.ts';
import type { Expression, Scope } from '../expression.ts';
import { arrayOf } from '../field-path.ts';
import { isNullish } from '../operator.ts';
import type { Accumulator, AccumulatorContext, AccumulatorKind, AccumulatorTable } from './accumulator.ts';
import { MeasuredValues } from './memory-usage.ts';

/**
 * Adds a value to a list of at most `n` values. Returns the value that the list does not keep: `value` itself, or a
 * value that was in the list. Returns `undefined` if the list keeps all values.
 */
type Keep = (values: Value[], value: Value, n: number, comparison: Comparison) => Value | undefined;

/** Accumulators that keep `n` values. */
export const firstLastNAccumulators: AccumulatorTable = {
  $firstN: keeping((values, value, n) => {
    if (values.length >= n) return value;
    values.push(value);
    return undefined;
  }),
  $lastN: keeping((values, value, n) => {
    values.push(value);
    return values.length > n ? values.shift() : undefined;
  }),
  $minN: keeping((values, value, n, { compare }) => keepSorted(values, value, n, compare)),
  $maxN: keeping((values, value, n, { compare }) => keepSorted(values, value, n, (a, b) => -compare(a, b))),
  $top: ordered(1, true),
  $topN: ordered(1, false),
  $bottom: ordered(-1, true),
  $bottomN: ordered(-1, false),
};

function keepSorted(
  values: Value[],
  value: Value,
  n: number,
  order: Comparison['compare'],
): Value | undefined {
  if (isNullish(value)) return value;
  values.splice(placeAfter(values, value, order), 0, value);
  return values.length > n ? values.pop() : undefined;
}

/** Returns the index after the last entry of a sorted list that is not greater than `one`. */
function placeAfter<T>(sorted: readonly T[], one: T, compare: (a: T, b: T) => number): number {
  const end = sorted.length;
  // Fast path, because entries usually arrive in order.
  if (end > 0 && compare(sorted[end - 1] as T, one) <= 0) return end;
  return firstIndex(sorted, (other) => compare(other, one) > 0);
}

function keeping(keep: Keep): AccumulatorKind {
  return (operand, context) => {
    const fields = fieldsOf(operand, ['input', 'n'], 5787906, 5787907, 5787901);
    const input = context.compile(fields.get('input') as Value);
    const n = countOf(fields.get('n') as Value, context);
    const { comparison = byBytes } = context.environment;
    const { name } = operand;
    return (group) => new KeptValues({ name, keep, input, most: n(group), comparison });
  };
}

interface Keeping {
  readonly name: string;
  readonly keep: Keep;
  readonly input: Expression;
  readonly most: number;
  readonly comparison: Comparison;
}

class KeptValues extends MeasuredValues implements Accumulator {
  readonly #keeping: Keeping;
  readonly #values: Value[] = [];

  constructor(keeping: Keeping) {
    super(keeping.name);
    this.#keeping = keeping;
  }

  add(scope: Scope): void {
    const { input, keep, most, comparison } = this.#keeping;
    const value = (input.evaluate(scope) ?? nullValue).detached();
    const left = keep(this.#values, value, most, comparison);
    if (left === value) return;
    this.held.grow(value);
    if (left !== undefined) this.held.shrink(left);
  }

  result(): Value {
    return arrayOf(this.#values);
  }
}

interface Kept {
  readonly key: ReturnType<Sort['keyOf']>;
  readonly value: Value;
}

/** Compiles an accumulator that returns an expression's values for the first or last documents in a sort order. */
function ordered(direction: 1 | -1, single: boolean): AccumulatorKind {
  return (operand, context) => {
    const names = single ? ['sortBy', 'output'] : ['sortBy', 'output', 'n'];
    const fields = fieldsOf(operand, names, 5788003, 5788004, 5788001);
    const sortBy = fields.get('sortBy') as Value;
    if (sortBy.type !== bsonTypes.object) {
      throw new ServerError(
        5788604,
        `expected 'sortBy' to already be an object in the arguments to ${operand.name}`,
      );
    }
    const sort = compileSort(documentOf(sortBy), context.environment);
    for (const { path } of sort.parts) context.environment.reads?.add(path.text);
    const output = context.compile(fields.get('output') as Value);
    const n = single ? () => 1 : countOf(fields.get('n') as Value, context);
    const { name } = operand;
    return (group) => new OrderedValues({ name, sort, output, direction, single, most: n(group) });
  };
}

interface Ordering {
  readonly name: string;
  readonly sort: Sort;
  readonly output: Expression;
  readonly direction: 1 | -1;
  readonly single: boolean;
  readonly most: number;
}

class OrderedValues extends MeasuredValues implements Accumulator {
  readonly #ordering: Ordering;
  readonly #kept: Kept[] = [];

  constructor(ordering: Ordering) {
    super(ordering.name);
    this.#ordering = ordering;
  }

  add(scope: Scope): void {
    const { sort, output, direction, most } = this.#ordering;
    const key = sort.keyOf(scope.root).map((value) => value.detached());
    const one = { key, value: (output.evaluate(scope) ?? nullValue).detached() };
    for (const value of valuesOf(one)) this.held.grow(value);
    const left = place(this.#kept, one, sort, direction, most);
    if (left !== undefined) for (const value of valuesOf(left)) this.held.shrink(value);
  }

  result(): Value {
    if (this.#ordering.single) return this.#kept[0]?.value ?? nullValue;
    return arrayOf(this.#kept.map(({ value }) => value));
  }
}

function valuesOf({ key, value }: Kept): Value[] {
  return [...key, value];
}

/**
 * Inserts a value into the sorted list `kept`, after equal values. Returns the value that a list of at most `most` values
 * does not keep: the last, or the first if the direction is -1. Among equal values, it keeps those that came first.
 */
function place(kept: Kept[], one: Kept, sort: Sort, direction: 1 | -1, most: number): Kept | undefined {
  const compare = (a: Kept, b: Kept) => sort.compareKeys(a.key, b.key);
  const first = kept[0];
  if (direction === -1 && kept.length >= most && first !== undefined) {
    if (compare(one, first) <= 0) return one;
    kept.shift();
    kept.splice(placeAfter(kept, one, compare), 0, one);
    return first;
  }
  kept.splice(placeAfter(kept, one, compare), 0, one);
  return kept.length > most ? kept.pop() : undefined;
}

function fieldsOf(
  operand: Element,
  names: readonly string[],
  missing: number,
  wrongField: number,
  notDocument: number,
): Map<string, Element> {
  const { name } = operand;
  if (operand.type !== bsonTypes.object) {
    throw new ServerError(
      notDocument,
      `specification must be an object; found ${name}: ${describe(operand)}`,
    );
  }
  const fields = new Map<string, Element>();
  for (const element of documentOf(operand)) {
    if (!names.includes(element.name)) {
      throw new ServerError('FailedToParse', `Unknown argument for '${name}' operator: ${element.name}`);
    }
    fields.set(element.name, element);
  }
  for (const field of names) {
    if (!fields.has(field)) {
      throw new ServerError(field === 'n' ? missing : wrongField, `Missing value for '${field}'`);
    }
  }
  return fields;
}

/** Evaluates `n`. If it is not constant, it may depend on the group's key. */
function countOf(spec: Value, { compile }: AccumulatorContext): (group: RawDocument) => number {
  const expression: Expression = compile(spec);
  if (expression.constant !== undefined) {
    const count = checkCount(expression.constant);
    return () => count;
  }
  return (group) => checkCount(expression.evaluate({ root: group }));
}

export function checkCount(value: Value | undefined): number {
  const whole = value !== undefined && isNumber(value) ? exactInteger(value) : undefined;
  if (whole === undefined) {
    throw new ServerError(
      7548606,
      `Value for 'n' must be of integral type, but found ${value === undefined ? 'missing' : describe(value)}`,
    );
  }
  if (whole <= 0n) throw new ServerError(7548606, `'n' must be greater than 0, found ${whole}`);
  return Number(whole);
}
