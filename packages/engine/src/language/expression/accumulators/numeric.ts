import { bsonTypes } from '../../../bson/bson-types.ts';
import { decimalForArithmetic } from '../../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { divideDecimals } from '../../../bson/numbers/decimal-arithmetic.ts';
import { decimalFromInteger, encodeDecimal } from '../../../bson/numbers/decimal128.ts';
import { NumberSum } from '../../../bson/numbers/sum.ts';
import { decimal, double, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import type { AccumulatorKind, AccumulatorTable } from './accumulator.ts';
import { type Collector, over } from './operand.ts';

/** Accumulators of numbers; they ignore values of other types. */
export const numericAccumulators: AccumulatorTable = {
  $sum: over(() => {
    const sum = new NumberSum();
    return {
      add: (value) => {
        if (value !== undefined && isNumber(value)) sum.add(value);
      },
      result: () => sum.result(),
    };
  }),
  $avg: over(() => average(true)),
  $stdDevPop: over(() => deviation(0)),
  $stdDevSamp: over(() => deviation(1)),
};

/** The expression `$avg` converts each long to a double. The expression `$sum` and the accumulator `$avg` do not. */
export const averageOfDoubles: AccumulatorKind = over(() => average(false));

function average(exact: boolean): Collector {
  const sum = new NumberSum();
  let count = 0;
  return {
    add(value) {
      if (value === undefined || !isNumber(value)) return;
      sum.add(!exact && value.type === bsonTypes.long ? double(toNumber(value)) : value);
      count++;
    },
    result: () => (count === 0 ? nullValue : quotient(sum.result(), count)),
  };
}

export function quotient(sum: Value, count: number): Value {
  if (sum.type !== bsonTypes.decimal) return double(toNumber(sum) / count);
  const total = decimalForArithmetic(sum);
  // Returns the NaN itself, because dividing would lose its sign.
  if (total.kind === 'nan') return sum;
  const divided = divideDecimals(total, decimalFromInteger(BigInt(count)));
  return decimal(encodeDecimal(divided));
}

/**
 * Computes standard deviations by Welford's method, which updates the mean and the sum of squares with each
 * value. The divisor is the number of values minus `lost`, which is 0 for a population and 1 for a sample.
 */
function deviation(lost: number): Collector {
  let count = 0;
  let mean = 0;
  let squares = 0;
  return {
    add(value) {
      if (value === undefined || !isNumber(value)) return;
      const number = toNumber(value);
      count++;
      const delta = number - mean;
      mean += delta / count;
      squares += delta * (number - mean);
    },
    result: () => (count <= lost ? nullValue : double(Math.sqrt(squares / (count - lost)))),
  };
}
