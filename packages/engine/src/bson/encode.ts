import type { PlainObject } from '@portolan/foundation/plain-object';
import { serialize } from 'bson';
import { bsonTypes } from './bson-types.ts';
import { DocumentWriter } from './document-writer.ts';
import { elementAt, encodeName, RawDocument } from './raw.ts';
import { double, Value } from './value.ts';

/**
 * Encodes a reply as BSON. Stored documents and values are copied byte for byte. Integral numbers become int32 if they
 * fit, `bigint` becomes int64, classes of `bson` keep their type, and `undefined` fields are omitted.
 */
export function encodeDocument(object: PlainObject): Uint8Array {
  const writer = new DocumentWriter();
  writeObject(writer, object);
  return writer.finish();
}

function writeObject(writer: DocumentWriter, object: PlainObject): void {
  const start = writer.begin();
  for (const name in object) {
    if (object[name] !== undefined) writeField(writer, encodeName(name), object[name]);
  }
  writer.end(start);
}

function writeArray(writer: DocumentWriter, values: readonly unknown[]): void {
  const start = writer.begin();
  for (let i = 0; i < values.length; i++) writeField(writer, encodePosition(i), values[i]);
  writer.end(start);
}

function writeField(writer: DocumentWriter, name: Uint8Array, value: unknown): void {
  switch (typeof value) {
    case 'string':
      writeName(writer, bsonTypes.string, name);
      writer.text(value);
      break;
    case 'boolean':
      writeName(writer, bsonTypes.bool, name);
      writer.byte(value ? 1 : 0);
      break;
    case 'bigint':
      writeName(writer, bsonTypes.long, name);
      writer.int64(value);
      break;
    case 'number':
      writeNumber(writer, name, value);
      break;
    default:
      if (value === null) writeName(writer, bsonTypes.null, name);
      else writeComposed(writer, name, value);
  }
}

function writeNumber(writer: DocumentWriter, name: Uint8Array, value: number): void {
  if (value === (value | 0)) {
    writeName(writer, bsonTypes.int, name);
    writer.int32(value);
  } else writeValue(writer, name, double(value));
}

function writeComposed(writer: DocumentWriter, name: Uint8Array, value: unknown): void {
  if (value instanceof Value) writeValue(writer, name, value);
  else if (value instanceof RawDocument) {
    writeName(writer, bsonTypes.object, name);
    writer.span(value.bytes, value.offset, value.offset + value.length);
  } else if (Array.isArray(value)) {
    writeName(writer, bsonTypes.array, name);
    writeArray(writer, value);
  } else if (isPlain(value)) {
    writeName(writer, bsonTypes.object, name);
    writeObject(writer, value);
  } else writeValue(writer, name, encodeWithLibrary(value));
}

function writeValue(writer: DocumentWriter, name: Uint8Array, { type, bytes, start, end }: Value): void {
  writeName(writer, type, name);
  writer.span(bytes, start, end);
}

function writeName(writer: DocumentWriter, type: number, name: Uint8Array): void {
  writer.byte(type);
  writer.span(name);
  writer.byte(0);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function encodeWithLibrary(value: unknown): Value {
  const bytes = serialize({ v: value });
  const element = elementAt(bytes, 4);
  if (element === undefined) throw new TypeError(`a reply cannot contain a ${typeof value}`);
  return element;
}

const positions: Uint8Array[] = [];
const POSITIONS_KEPT = 1_024;

/** Returns the encoded name of an array entry. */
function encodePosition(index: number): Uint8Array {
  if (index >= POSITIONS_KEPT) return Buffer.from(String(index));
  positions[index] ??= new Uint8Array(Buffer.from(String(index)));
  return positions[index];
}
