import { bsonTypes } from '../../../bson/bson-types.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { string, textOf, type Value } from '../../../bson/value.ts';

/** The server wraps MinKey and MaxKey in a document if they are a group's key or a picked value. */
export function wrappedExtreme(value: Value): Value {
  if (value.type !== bsonTypes.minKey && value.type !== bsonTypes.maxKey) return value;
  return writeDocument((writer) => writer.field('', value)).toValue();
}

/** The key of a group; code becomes a string. */
export function groupKey(value: Value): Value {
  return value.type === bsonTypes.javascript ? string(textOf(value)) : wrappedExtreme(value);
}
