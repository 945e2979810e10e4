import { isMarked, unmarked } from '@portolan/foundation/ordered-json';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { type Document, EJSON } from 'bson';

/**
 * Converts a document to BSON values. The document is Extended JSON in the form that `parseInOrder` returns. Throws if
 * a value does not match its Extended JSON key, for example if the value of `$date` is not a date. Converts objects
 * with numeric field names to maps, since a map keeps the order of such fields.
 */
export function fromExtendedJson(document: Document): Document {
  const fields = Object.entries<unknown>(EJSON.deserialize(document, { relaxed: false }));
  return Object.fromEntries(fields.map(([name, value]) => [unmarked(name), inOrder(value)]));
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  const fields = Object.entries(value as PlainObject).map(
    ([name, field]) => [unmarked(name), inOrder(field)] as const,
  );
  return Object.keys(value).some(isMarked) ? new Map(fields) : Object.fromEntries(fields);
}
