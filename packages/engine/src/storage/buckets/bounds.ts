import { bsonTypes } from '../../bson/bson-types.ts';
import { compareValues } from '../../bson/compare.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { documentOf, type RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';

/** Returns the least (`sign` 1) or greatest (-1) of two values. Compares documents and arrays field by field. */
export function extreme(one: Value | undefined, other: Value, sign: 1 | -1): Value {
  if (one === undefined) return other;
  if (one.type === other.type && (one.type === bsonTypes.object || one.type === bsonTypes.array)) {
    return ofFields(documentOf(one), documentOf(other), sign).toValue(one.type);
  }
  return compareValues(other, one) * sign < 0 ? other : one;
}

function ofFields(one: RawDocument, other: RawDocument, sign: 1 | -1): RawDocument {
  const fields = new Map<string, Value>([...one].map((field) => [field.name, field]));
  for (const field of other) fields.set(field.name, extreme(fields.get(field.name), field, sign));
  return writeDocument((writer) => {
    for (const [name, value] of fields) writer.field(name, value);
  });
}
