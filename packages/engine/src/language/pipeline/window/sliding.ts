import { toNumber } from '../../../bson/numbers/convert.ts';
import { int32, isNumber, nullValue } from '../../../bson/value.ts';
import type {
  Accumulator,
  AccumulatorKind,
  AccumulatorTable,
} from '../../expression/accumulators/accumulator.ts';
import { accumulators } from '../../expression/accumulators/index.ts';
import { argumentOf } from '../../expression/accumulators/operand.ts';
import { slidingPercentiles } from '../../expression/accumulators/percentile.ts';

/**
 * Accumulators of sliding windows. Standard deviations have other results there, because the server removes values.
 * Percentiles only take less time.
 */
export const slidingAccumulators: AccumulatorTable = {
  ...slidingPercentiles,
  $stdDevPop: (operand, context) => deviation('$stdDevPop', operand, context),
  $stdDevSamp: (operand, context) => deviation('$stdDevSamp', operand, context),
};

/**
 * Compiles a standard deviation over a window. The result is null while the window contains an infinity or NaN, and
 * the integer 0 for a population of a single number.
 */
function deviation(
  name: '$stdDevPop' | '$stdDevSamp',
  ...[operand, context]: Parameters<AccumulatorKind>
): ReturnType<AccumulatorKind> {
  const argument = argumentOf(operand, context);
  const create = (accumulators.get(name) as AccumulatorKind)(operand, context);
  return (group): Accumulator => {
    const finite = create(group);
    let count = 0;
    let others = 0;
    return {
      add(scope) {
        const value = argument.evaluate(scope);
        if (value === undefined || !isNumber(value)) return;
        if (!Number.isFinite(toNumber(value))) {
          others++;
          return;
        }
        count++;
        finite.add(scope);
      },
      result() {
        if (others > 0) return nullValue;
        return name === '$stdDevPop' && count === 1 ? int32(0) : finite.result();
      },
    };
  };
}
