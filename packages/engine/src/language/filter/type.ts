import { bsonTypes, rankOf } from '../../bson/bson-types.ts';
import { type Bounds, boundsOfTypes } from './bounds.ts';
import { leaf, type OperatorTable } from './operator.ts';
import { parseTypes, type TypeSet } from './type-set.ts';

export const typeOperators: OperatorTable = {
  $type: (operand, path, context) => {
    const types = parseTypes(operand, '$type');
    const bounds = boundsOf(types);
    return leaf(
      '$type',
      path,
      (value) => value !== undefined && types.has(value.type),
      context,
      bounds === undefined ? { types } : { types, bounds },
    );
  },
};

const allTypes: readonly number[] = Object.values(bsonTypes);

/**
 * Returns the bounds of values of the types. The type `array` has no bounds, because an index contains the entries of
 * an array. Types that compare with each other share a range of keys.
 */
function boundsOf(types: TypeSet): Bounds | undefined {
  if (types.has(bsonTypes.array)) return undefined;
  const wanted = allTypes.filter((type) => types.has(type));
  const missing = types.has(bsonTypes.null) || types.has(bsonTypes.undefined);
  const whole = wanted.every((type) =>
    allTypes.every((other) => rankOf(other) !== rankOf(type) || types.has(other)),
  );
  return boundsOfTypes(wanted, whole && !missing);
}
