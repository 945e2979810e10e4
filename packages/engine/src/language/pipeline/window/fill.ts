import { bsonTypes } from '../../../bson/bson-types.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { double, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { isNullish } from '../../expression/operator.ts';
import { positionsOf, wrong } from './frame.ts';
import type { Partition } from './partition.ts';
import type { FunctionTable } from './window-function.ts';

/** Window functions that fill null and missing values. */
export const fillFunctions: FunctionTable = {
  $locf: (operand, { compile, windowSpec }) => {
    if (windowSpec !== undefined) throw wrong("'window' field is not allowed in '$locf'");
    const expression = compile(operand);
    return ({ docs }) => {
      let kept: Value = nullValue;
      return (place) => {
        const value = expression.evaluate({ root: docs[place] as RawDocument });
        if (value !== undefined && !isNullish(value)) kept = value;
        return kept;
      };
    };
  },
  $linearFill: (operand, { compile, windowSpec, sort, environment }) => {
    if (windowSpec !== undefined) throw wrong("'window' field is not allowed in '$linearFill'");
    if (sort?.parts.length !== 1) {
      throw new ServerError(605001, "'$linearFill' requires sortBy a single field");
    }
    const expression = compile(operand);
    const { statement } = environment;
    return (partition) =>
      interpolated(
        partition,
        partition.docs.map((root) => {
          statement.check();
          return expression.evaluate({ root });
        }),
      );
  },
};

function interpolated(
  partition: Partition,
  values: ReadonlyArray<Value | undefined>,
): (place: number) => Value {
  const first = partition.docs[0];
  const isDate =
    first !== undefined && partition.sortValue?.evaluate({ root: first })?.type === bsonTypes.date;
  const positions = positionsOf(partition, isDate ? 'millisecond' : undefined);
  for (const value of values) {
    if (!isNullish(value) && !isNumber(value as Value)) {
      throw new ServerError('TypeMismatch', 'Value to be filled must be numeric or nullish');
    }
  }
  for (const [place, position] of positions.entries()) {
    if (place === 0 || position !== positions[place - 1]) continue;
    throw new ServerError(6050106, 'There can be no repeated values in the sort field');
  }
  const known = values.flatMap((value, place) => (isNullish(value) ? [] : [place]));
  // The index in `known` of the first position that is not before the current document.
  let next = 0;
  return (place) => {
    while (next < known.length && (known[next] as number) < place) next++;
    const value = values[place];
    if (value !== undefined && !isNullish(value)) return value;
    const before = known[next - 1];
    const after = known[next];
    if (before === undefined || after === undefined) return nullValue;
    const [low, high] = [toNumber(values[before] as Value), toNumber(values[after] as Value)];
    const [start, end] = [positions[before] as number, positions[after] as number];
    return double(low + (high - low) * (((positions[place] as number) - start) / (end - start)));
  };
}
