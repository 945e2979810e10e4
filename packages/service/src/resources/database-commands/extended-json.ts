import { isMarked, unmarked } from '@portolan/foundation/ordered-json';
import type { PlainObject } from '@portolan/foundation/plain-object';
import { type Document, EJSON } from 'bson';

/**
 * Converts a document as `parseInOrder` returns it. Throws if a value does not match its Extended JSON key, for example
 * if the value of `$date` is not a date. Objects with numeric field names become maps, whose fields keep their order.
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
