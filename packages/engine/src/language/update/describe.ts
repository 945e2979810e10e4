import { bsonTypes } from '../../bson/bson-types.ts';
import { describe, describeDocument } from '../../bson/describe.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int64Of, nullValue, type Value } from '../../bson/value.ts';

export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** Prints the `_id` of a document as `{_id: 1}`. */
export function describeId(document: RawDocument): string {
  const id = document.get('_id') ?? nullValue;
  return describeDocument(writeDocument((writer) => writer.field('_id', id)))
    .replace('{ ', '{')
    .replace(/ }$/, '}');
}

export function describeTyped(value: Value): string {
  return value.type === bsonTypes.long ? `(NumberLong)${int64Of(value)}` : `(NumberInt)${describe(value)}`;
}
