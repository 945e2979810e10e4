import { createHash, type Hash } from 'node:crypto';
import { bsonTypes, type TypeName, typeName } from './bson-types.ts';
import { readInt32 } from './bytes.ts';
import { toBigInt } from './numbers/convert.ts';
import { documentOf } from './raw.ts';
import { Element, isNumber, Value } from './value.ts';

/** The type numbers that the server hashes. All number types have the same type number. */
const hashTypes: Readonly<Record<TypeName, number>> = {
  minKey: -1,
  undefined: 0,
  null: 5,
  double: 10,
  int: 10,
  long: 10,
  decimal: 10,
  string: 15,
  symbol: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  timestamp: 47,
  regex: 50,
  dbPointer: 55,
  javascript: 60,
  javascriptWithScope: 65,
  maxKey: 127,
};

const seed = int32Bytes(0);
const endOfDocument = int32Bytes(0);

function int32Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setInt32(0, value, true);
  return bytes;
}

/** Returns the value that a hashed index stores: the first half of an MD5 hash of type and bytes, as an int64. */
export function hashOf(value: Value): bigint {
  const hash = createHash('md5').update(seed);
  addValue(hash, value, false);
  return hash.digest().readBigInt64LE(0);
}

function addValue(hash: Hash, value: Value, named: boolean): void {
  const name = typeName(value.type);
  hash.update(int32Bytes(name === 'missing' ? 0 : hashTypes[name]));
  if (named && value instanceof Element)
    hash.update(value.bytes.subarray(value.nameStart, value.nameEnd + 1));
  if (isNumber(value)) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(toBigInt(value));
    hash.update(bytes);
  } else if (value.type === bsonTypes.object || value.type === bsonTypes.array) {
    addFields(hash, value);
  } else if (value.type === bsonTypes.javascriptWithScope) {
    const scope = value.start + 8 + readInt32(value.bytes, value.start + 4);
    hash.update(value.bytes.subarray(value.start + 8, scope));
    addFields(hash, new Value(bsonTypes.object, value.bytes, scope, value.end));
  } else hash.update(value.bytes.subarray(value.start, value.end));
}

function addFields(hash: Hash, value: Value): void {
  for (const element of documentOf(value)) addValue(hash, element, true);
  hash.update(endOfDocument);
}
