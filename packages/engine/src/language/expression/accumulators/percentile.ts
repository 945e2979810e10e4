import { bsonTypes } from '../../../bson/bson-types.ts';
import { describe } from '../../../bson/describe.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { documentOf, entriesOf } from '../../../bson/raw.ts';
import { double, type Element, isNumber, nullValue, textOf, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Expression } from '../expression.ts';
import { arrayOf } from '../field-path.ts';
import type { AccumulatorContext, AccumulatorTable } from './accumulator.ts';
import { fieldsOfCommand } from './percentile-fields.ts';
import { Percentiles, SlidingPercentiles } from './percentiles.ts';
import type { SortedNumbers } from './sorted-numbers.ts';

/** Percentiles of numbers; values of other types are ignored. */
export const percentileAccumulators = accumulatorsOf(Percentiles);

/** Percentiles over windows whose start moves, so that numbers are removed. */
export const slidingPercentiles = accumulatorsOf(SlidingPercentiles);

function accumulatorsOf(Kind: typeof Percentiles): AccumulatorTable {
  const creating =
    (read: typeof medianOf): AccumulatorTable[string] =>
    (operand, context) => {
      const { input, finish } = read(operand, context);
      return () => new Kind(input, finish, context.environment.statement, operand.name);
    };
  return { $percentile: creating(percentilesOf), $median: creating(medianOf) };
}

interface Compiled {
  readonly input: Expression;
  readonly finish: (numbers: SortedNumbers) => Value;
}

function percentilesOf(operand: Element, context: AccumulatorContext): Compiled {
  const fields = fieldsOfCommand(operand, ['input', 'p', 'method']);
  checkMethod(fields);
  const shares = sharesOf(fields.get('p') as Value, context);
  return {
    input: context.compile(fields.get('input') as Value),
    finish: (numbers) => arrayOf(shares.map((share) => percentile(numbers, share))),
  };
}

function medianOf(operand: Element, context: AccumulatorContext): Compiled {
  const fields = fieldsOfCommand(operand, ['input', 'method']);
  checkMethod(fields);
  return {
    input: context.compile(fields.get('input') as Value),
    finish: (numbers) => percentile(numbers, 0.5),
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
