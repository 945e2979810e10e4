import { bsonTypes, rankOf } from './bson-types.ts';
import { ByteWriter } from './byte-writer.ts';
import { findNul, readInt32, readInt64, readUint64 } from './bytes.ts';
import { writeNumberKey } from './numbers/key.ts';
import { elementAt, nullValue, type Value } from './value.ts';

/**
 * This file encodes index keys: byte strings that sort by `memcmp` in the order of the values. Two keys are equal if
 * and only if the values compare equal. A key is the rank of the type followed by a body. The end of a body can be
 * recognized without its length, so that several keys can be concatenated to a compound key.
 */

/** 1 ascending, -1 descending. */
export type Direction = 1 | -1;

export function encodeKey(value: Value): Uint8Array {
  const writer = new ByteWriter();
  writeKey(writer, value);
  return writer.finish();
}

/** Returns the key as a string, for maps and sets. Equal values have equal strings. */
export function keyText(value: Value): string {
  const key = encodeKey(value);
  return Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1');
}

/** Returns the range [low, high) of the keys of a type, and of the types that compare with it. */
export function keysOfType(type: number): { readonly low: Uint8Array; readonly high: Uint8Array } {
  return { low: Uint8Array.of(typeByte(type)), high: Uint8Array.of(typeByte(type) + 1) };
}

/**
 * Ends a key whose last value is descending. In descending order, a text comes after every longer text that
 * begins with it. If the longer text continues with a NUL, its key begins with the key of the shorter text
 * and 0x00, the inverted 0xff of the escaped NUL. So the shorter text needs an end that is greater than 0x00.
 * It is also less than all type bytes.
 */
const END = 0x08;

/** Encodes several values as one key. Each value has its own sort direction. A missing value counts as null. */
export function encodeCompoundKey(
  values: ReadonlyArray<Value | undefined>,
  directions: readonly Direction[],
): Uint8Array {
  const writer = new ByteWriter();
  values.forEach((value, i) => {
    const start = writer.length;
    writeKey(writer, value ?? nullValue);
    if (directions[i] === -1) writer.invert(start);
  });
  if (directions.at(-1) === -1) writer.byte(END);
  return writer.finish();
}

/**
 * Returns the byte for a type, from 0x18 to 0x98. So neither this byte nor its inverse is 0x00 or 0xff: 0x00
 * ends a text or document, and 0xff after 0x00 means an escaped NUL.
 */
function typeByte(type: number): number {
  return 0x10 + rankOf(type) * 8;
}

function writeKey(writer: ByteWriter, value: Value): void {
  writer.byte(typeByte(value.type));
  writeBody(writer, value);
}

function writeBody(writer: ByteWriter, value: Value): void {
  const { type, bytes, start, end } = value;
  switch (type) {
    case bsonTypes.int:
    case bsonTypes.double:
    case bsonTypes.long:
    case bsonTypes.decimal:
      writeNumberKey(writer, value);
      break;
    case bsonTypes.string:
    case bsonTypes.symbol:
    case bsonTypes.javascript:
      writeText(writer, bytes, start + 4, end - 1);
      break;
    case bsonTypes.object:
      writeDocument(writer, bytes, start, true);
      break;
    case bsonTypes.array:
      writeDocument(writer, bytes, start, false);
      break;
    case bsonTypes.binData:
      writeUint32(writer, readInt32(bytes, start));
      writer.span(bytes, start + 4, end);
      break;
    case bsonTypes.objectId:
    case bsonTypes.bool:
      writer.span(bytes, start, end);
      break;
    case bsonTypes.date:
      writeUint64(writer, BigInt.asUintN(64, readInt64(bytes, start)) ^ (1n << 63n));
      break;
    case bsonTypes.timestamp:
      writeUint64(writer, readUint64(bytes, start));
      break;
    case bsonTypes.regex:
      writer.span(bytes, start, end);
      break;
    case bsonTypes.dbPointer:
      writeUint32(writer, end - start);
      writer.span(bytes, start, end);
      break;
    case bsonTypes.javascriptWithScope: {
      const scope = start + 8 + readInt32(bytes, start + 4);
      writeText(writer, bytes, start + 8, scope - 1);
      writeDocument(writer, bytes, scope, true);
    }
  }
}

/** Writes a text that ends with 0x00. A NUL within the text becomes 0x00 0xff. */
export function writeText(writer: ByteWriter, bytes: Uint8Array, start: number, end: number): void {
  let from = start;
  for (;;) {
    const nul = findNul(bytes, from);
    if (nul >= end) break;
    writer.span(bytes, from, nul + 1);
    writer.byte(0xff);
    from = nul + 1;
  }
  writer.span(bytes, from, end);
  writer.byte(0);
}

function writeDocument(writer: ByteWriter, bytes: Uint8Array, offset: number, named: boolean): void {
  for (let element = elementAt(bytes, offset + 4); element; element = elementAt(bytes, element.end)) {
    writer.byte(typeByte(element.type));
    if (named) writer.span(bytes, element.nameStart, element.nameEnd + 1);
    writeBody(writer, element);
  }
  writer.byte(0);
}

function writeUint32(writer: ByteWriter, value: number): void {
  for (let shift = 24; shift >= 0; shift -= 8) writer.byte((value >>> shift) & 0xff);
}

function writeUint64(writer: ByteWriter, value: bigint): void {
  writeUint32(writer, Number(value >> 32n));
  writeUint32(writer, Number(value & 0xffffffffn));
}
