import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { isReference } from './references.ts';

/**
 * True if a document contains operators. A document whose names begin with `$` can also be a value, such as a DBRef.
 */
export function isOperators(operand: Value): boolean {
  if (operand.type !== bsonTypes.object) return false;
  const first = documentOf(operand).first()?.name ?? '';
  return first.startsWith('$') && !isReference(operand);
}
