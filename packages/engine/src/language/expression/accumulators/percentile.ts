import { bsonTypes } from '../../../bson/bson-types.ts';
import { describe } from '../../../bson/describe.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { double, type Element, isNumber, nullValue, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { checking } from '../entries.ts';
import { arrayOf } from '../field-path.ts';
import type { AccumulatorContext, AccumulatorTable } from './accumulator.ts';
import { MemoryUsage } from './memory-usage.ts';
import { fieldsOfCommand } from './percentile-fields.ts';
import { SortedNumbers } from './sorted-numbers.ts';

/** Percentiles of numbers; values of other types are ignored. */
export const percentileAccumulators: AccumulatorTable = {
  $percentile: (operand, context) => {
    const fields = fieldsOfCommand(operand, ['input', 'p', 'method']);
    checkMethod(fields);
    const shares = sharesOf(fields.get('p') as Value, context);
    return create(fields, context, operand.name, (numbers) =>
      arrayOf(shares.map((share) => percentile(numbers, share))),
    );
  },
  $median: (operand, context) => {
    const fields = fieldsOfCommand(operand, ['input', 'method']);
    checkMethod(fields);
    return create(fields, context, operand.name, (numbers) => percentile(numbers, 0.5));
  },
};

function create(
  fields: ReadonlyMap<string, Element>,
  { compile, environment: { statement } }: AccumulatorContext,
  name: string,
  finish: (numbers: SortedNumbers) => Value,
) {
  const input = compile(fields.get('input') as Value);
  return () => {
    let sorted = new SortedNumbers([]);
    /** The numbers since the last result. */
    let added: number[] = [];
    const held = new MemoryUsage(name);
    return {
      get size() {
        return held.bytes;
      },
      add(scope: Parameters<typeof input.evaluate>[0]) {
        const value = input.evaluate(scope);
        if (value === undefined || !isNumber(value)) return;
        const number = toNumber(value);
        if (Number.isNaN(number)) return;
        added.push(number);
        held.growBy(Float64Array.BYTES_PER_ELEMENT);
      },
      result() {
        if (sorted.length === 0) {
          sorted = new SortedNumbers(added.sort(checking(statement, (a, b) => a - b)));
        } else {
          for (const number of added) {
            statement.check();
            sorted.insert(number);
          }
        }
        added = [];
        return finish(sorted);
      },
    };
  };
}

/**
 * Returns the smallest number such that at least the fraction `share` of all numbers are less than or equal to it, or null
 * if there are no numbers.
 */
export function percentile(sorted: Pick<SortedNumbers, 'at' | 'length'>, share: number): Value {
  const number = sorted.at(Math.max(0, Math.ceil(sorted.length * share) - 1));
  return number === undefined ? nullValue : double(number);
}

export function checkMethod(fields: ReadonlyMap<string, Element>): void {
  const method = fields.get('method') as Value;
  if (method.type !== bsonTypes.string || textOf(method) !== 'approximate') {
    throw new ServerError('BadValue', "Currently only 'approximate' can be used as percentile 'method'.");
  }
}

export function sharesOf(spec: Value, { compile }: Pick<AccumulatorContext, 'compile'>): number[] {
  const value = compile(spec).constant;
  if (value?.type !== bsonTypes.array || documentOf(value).isEmpty) {
    throw new ServerError(
      7750301,
      `The $percentile 'p' field must be an array of constant values, but found value: ${describe(spec)}`,
    );
  }
  return entriesOf(value).map((entry) => {
    if (!isNumber(entry)) {
      throw new ServerError(
        7750302,
        `The $percentile 'p' field must be an array of numbers, but found: ${describe(entry)}`,
      );
    }
    const share = toNumber(entry);
    if (!(share >= 0 && share <= 1)) {
      throw new ServerError(
        7750303,
        `The $percentile 'p' field must be an array of numbers in the range [0.0, 1.0], but found: ${describe(entry)}`,
      );
    }
    return share;
  });
}
