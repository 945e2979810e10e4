import { serialize } from 'bson';
import { bsonTypes } from './bson-types.ts';
import { DocumentWriter } from './document-writer.ts';
import { elementAt, encodeName, RawDocument } from './raw.ts';
import { bool, double, int32, int64, nullValue, string, Value } from './value.ts';

/**
 * An answer as BSON. Documents and values that came out of the store go in byte by byte; whole numbers become int32
 * where they fit, `bigint` int64; classes of `bson` are what they are; fields that are `undefined` are left out.
 */
export function encodeDocument(object: Readonly<Record<string, unknown>>): Uint8Array {
  const writer = new DocumentWriter();
  writeObject(writer, object);
  return writer.finish();
}

function writeObject(writer: DocumentWriter, object: Readonly<Record<string, unknown>>): void {
  const start = writer.begin();
  for (const name in object) {
    if (object[name] !== undefined) writeField(writer, encodeName(name), object[name]);
  }
  writer.end(start);
}

function writeArray(writer: DocumentWriter, values: readonly unknown[]): void {
  const start = writer.begin();
  for (let i = 0; i < values.length; i++) writeField(writer, Buffer.from(String(i)), values[i]);
  writer.end(start);
}

function writeField(writer: DocumentWriter, name: Uint8Array, value: unknown): void {
  if (Array.isArray(value)) {
    writeName(writer, bsonTypes.array, name);
    writeArray(writer, value);
  } else if (isPlain(value)) {
    writeName(writer, bsonTypes.object, name);
    writeObject(writer, value);
  } else {
    const { type, bytes, start, end } = scalarOf(value);
    writeName(writer, type, name);
    writer.span(bytes, start, end);
  }
}

function writeName(writer: DocumentWriter, type: number, name: Uint8Array): void {
  writer.byte(type);
  writer.span(name);
  writer.byte(0);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function scalarOf(value: unknown): Value {
  if (value instanceof Value) return value;
  if (value instanceof RawDocument) return value.toValue();
  switch (typeof value) {
    case 'string':
      return string(value);
    case 'boolean':
      return bool(value);
    case 'bigint':
      return int64(value);
    case 'number':
      return Number.isInteger(value) && value === (value | 0) ? int32(value) : double(value);
    default:
      return value === null ? nullValue : byLibrary(value);
  }
}

function byLibrary(value: unknown): Value {
  const bytes = serialize({ v: value });
  const element = elementAt(bytes, 4);
  if (element === undefined) throw new TypeError(`an answer cannot hold a ${typeof value}`);
  return element;
}
