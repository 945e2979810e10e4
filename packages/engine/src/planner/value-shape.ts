import { bsonTypes, typeName } from '../bson/bson-types.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { textOf, type Value } from '../bson/value.ts';

/**
 * Returns the shape of a query: its field names and operators, with types in place of values. Queries with the same
 * shape differ only in values.
 */
export function shapeOf(document: RawDocument): string {
  return `{${[...document].map((element) => `${element.name}:${shapeOfValue(element)}`).join(',')}}`;
}

function shapeOfValue(value: Value): string {
  if (value.type === bsonTypes.object) return shapeOf(documentOf(value));
  if (value.type === bsonTypes.array) return `[${[...documentOf(value)].map(shapeOfValue).join(',')}]`;
  // A field path belongs to the shape; other strings do not.
  if (value.type === bsonTypes.string && textOf(value).startsWith('$')) return textOf(value);
  return `?${typeName(value.type)}`;
}
