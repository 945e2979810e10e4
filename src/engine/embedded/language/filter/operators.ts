import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';

/** Names with which a reference to a document begins; such a document is a value. */
const referenceNames: ReadonlySet<string> = new Set(['$ref', '$id', '$db']);

/** Whether a document holds operators and is no value. */
export function isOperators(operand: Value): boolean {
  if (operand.type !== bsonTypes.object) return false;
  const first = documentOf(operand).first()?.name ?? '';
  return first.startsWith('$') && !referenceNames.has(first);
}
