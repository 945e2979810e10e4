import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { isReference } from './references.ts';

/** Whether a document holds operators and is no value, as a reference to a document is. */
export function isOperators(operand: Value): boolean {
  if (operand.type !== bsonTypes.object) return false;
  const first = documentOf(operand).first()?.name ?? '';
  return first.startsWith('$') && !isReference(operand);
}
