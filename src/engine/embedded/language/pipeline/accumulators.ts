import { NumberSum } from '../numbers/sum.ts';
import { isNumber } from '../value.ts';
import type { AccumulatorTable } from './accumulator.ts';

/** Values that are no numbers add nothing. */
export const numberAccumulators: AccumulatorTable = {
  $sum: (argument) => () => {
    const sum = new NumberSum();
    return {
      add(scope) {
        const value = argument.evaluate(scope);
        if (value !== undefined && isNumber(value)) sum.add(value);
      },
      result: () => sum.result(),
    };
  },
};
