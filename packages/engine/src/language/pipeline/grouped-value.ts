import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { string, textOf, type Value } from '../../bson/value.ts';

/** The least and the greatest value leave a group in a document, as the key or where a value is picked by its place. */
export function pickedValue(value: Value): Value {
  if (value.type !== bsonTypes.minKey && value.type !== bsonTypes.maxKey) return value;
  return writeDocument((writer) => writer.field('', value)).toValue();
}

/** The key of a group: code is a text besides. */
export function groupKey(value: Value): Value {
  return value.type === bsonTypes.javascript ? string(textOf(value)) : pickedValue(value);
}
