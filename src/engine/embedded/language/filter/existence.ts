import { bsonTypes } from '../bson-types.ts';
import { truthOfNumber } from '../numbers/convert.ts';
import { boolOf, isNumber, type Value } from '../value.ts';
import { leaf, not, type OperatorTable } from './operator.ts';

export const existenceOperators: OperatorTable = {
  $exists: (operand, path) => {
    const exists = leaf('$exists', path, (value) => value !== undefined);
    return isTrue(operand) ? exists : not(exists);
  },
};

/** Everything but false, zero, null and undefined. */
export function isTrue(operand: Value): boolean {
  if (isNumber(operand)) return truthOfNumber(operand);
  if (operand.type === bsonTypes.bool) return boolOf(operand);
  return operand.type !== bsonTypes.null && operand.type !== bsonTypes.undefined;
}
