import { bsonTypes, typeName } from '../../../bson/bson-types.ts';
import { compareValues } from '../../../bson/compare.ts';
import { addNumbers, multiplyNumbers, subtractNumbers } from '../../../bson/numbers/arithmetic.ts';
import { toNumber } from '../../../bson/numbers/convert.ts';
import { divideNumbers } from '../../../bson/numbers/division.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { double, isNumber, nullValue, type Value } from '../../../bson/value.ts';
import { ServerError } from '../../../errors/server-error.ts';
import { subtract } from '../../expression/arithmetic.ts';
import { isNullish } from '../../expression/operator.ts';
import { wrong } from './frame.ts';
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
  { docs, sortValue }: Partition,
  values: ReadonlyArray<Value | undefined>,
): (place: number) => Value {
  const places = docs.map((root) => sortValue?.evaluate({ root }));
  checkFill(places, values);
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
    const [low, high] = [values[before] as Value, values[after] as Value];
    const slope = divideNumbers(subtractNumbers(high, low), subtract(places[after], places[before]));
    const rise = multiplyNumbers(subtract(places[place], places[before]), slope ?? nullValue);
    return addNumbers(low, rise) ?? double(toNumber(low) + toNumber(rise));
  };
}

/** Throws unless the inputs are numbers or missing, and the sort values are different numbers or different dates. */
function checkFill(places: ReadonlyArray<Value | undefined>, values: ReadonlyArray<Value | undefined>): void {
  for (const [i, place] of places.entries()) {
    const value = values[i];
    if (!isNullish(value) && !isNumber(value as Value)) {
      throw new ServerError(
        'TypeMismatch',
        `Value to be filled must be numeric or nullish, but found ${typeName(value?.type)}`,
      );
    }
    if (place === undefined || !(isNumber(place) || place.type === bsonTypes.date)) {
      throw new ServerError(
        'TypeMismatch',
        `Value of the sortBy field must be numeric or a date, but found ${typeName(place?.type)}`,
      );
    }
    const last = places[i - 1];
    if (last === undefined) continue;
    if (compareValues(last, place) === 0) {
      throw new ServerError(6050106, 'There can be no repeated values in the sort field');
    }
    if (isNumber(last) !== isNumber(place)) {
      throw new ServerError(
        'TypeMismatch',
        'Conflicting sort value types: the values must be numbers or dates',
      );
    }
  }
}
