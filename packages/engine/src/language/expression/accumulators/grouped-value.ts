import { bsonTypes } from '../../../bson/bson-types.ts';
import { writeDocument } from '../../../bson/document-writer.ts';
import { string, textOf, type Value } from '../../../bson/value.ts';

/**
 * Wraps MinKey and MaxKey in a document. The server does so for the key of a group and for values that
 * accumulators such as `$addToSet` collect.
 */
export function wrappedExtreme(value: Value): Value {
  if (value.type !== bsonTypes.minKey && value.type !== bsonTypes.maxKey) return value;
  return writeDocument((writer) => writer.field('', value)).toValue();
}

/** Returns the key of a group. JavaScript code becomes a string. */
export function groupKey(value: Value): Value {
  return value.type === bsonTypes.javascript ? string(textOf(value)) : wrappedExtreme(value);
}
