import { bsonTypes } from '../../bson/bson-types.ts';
import { truthOfNumber } from '../../bson/numbers/convert.ts';
import { boolOf, isNumber, type Value } from '../../bson/value.ts';
import { allKeys, type Bounds } from './bounds.ts';
import { leaf, not, type OperatorTable } from './operator.ts';

/** The bounds cover all keys, because a missing value is indexed as null. */
const everyKey: Bounds = { intervals: [allKeys] };

export const existenceOperators: OperatorTable = {
  $exists: (operand, path, context) => {
    const exists = leaf('$exists', path, (value) => value !== undefined, context, { bounds: everyKey });
    return isTrue(operand) ? exists : not(exists);
  },
};

/** False for false, zero, null and undefined; true for everything else. */
export function isTrue(operand: Value): boolean {
  if (isNumber(operand)) return truthOfNumber(operand);
  if (operand.type === bsonTypes.bool) return boolOf(operand);
  return operand.type !== bsonTypes.null && operand.type !== bsonTypes.undefined;
}
