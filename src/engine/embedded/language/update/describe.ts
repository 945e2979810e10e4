import { bsonTypes } from '../bson-types.ts';
import { describe, describeDocument } from '../describe.ts';
import { writeDocument } from '../document-writer.ts';
import type { RawDocument } from '../raw.ts';
import { int64Of, nullValue, type Value } from '../value.ts';

/** The last part of a path. */
export function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

/** `{_id: 1}` */
export function describeId(document: RawDocument): string {
  const id = document.get('_id') ?? nullValue;
  return describeDocument(writeDocument((writer) => writer.field('_id', id)))
    .replace('{ ', '{')
    .replace(/ }$/, '}');
}

export function describeTyped(value: Value): string {
  return value.type === bsonTypes.long ? `(NumberLong)${int64Of(value)}` : `(NumberInt)${describe(value)}`;
}
