import { ServerError } from '../errors/server-error.ts';
import { bsonTypes, typeName } from './bson-types.ts';
import { findNul, readInt32, valueEnd } from './bytes.ts';
import { step } from './turns.ts';
import type { Value } from './value.ts';

/** Maximum size of a stored document, in bytes. */
export const MAX_DOCUMENT_SIZE = 16 * 1024 * 1024;
/** Maximum size of a command, in bytes: a document and the fields around it. */
export const MAX_INTERNAL_SIZE = MAX_DOCUMENT_SIZE + 16 * 1024;
/** Maximum nesting depth of documents and arrays below the outermost document. */
export const MAX_DEPTH = 200;
/** Maximum nesting depth in a stored document, including the outermost document. */
export const MAX_STORED_DEPTH = 180;

const MIN_SIZE = 5;

/**
 * Checks that `bytes` is one well-formed document: lengths, terminators, types, names, nesting depth and size. The
 * other files in this folder expect validated documents and do not check bounds. The outermost document may have at most
 * `maxFields` fields.
 */
export function validate(bytes: Uint8Array, maxFields = Number.POSITIVE_INFINITY): void {
  if (bytes.length < MIN_SIZE) throw invalid(`${bytes.length} bytes are too few for a document`);
  if (bytes.length > MAX_INTERNAL_SIZE) throw tooLarge(bytes.length);
  const length = readInt32(bytes, 0);
  if (length !== bytes.length) throw invalid(`document says ${length} bytes and has ${bytes.length}`);
  if (bytes[length - 1] !== 0) throw invalid('document does not end with a NUL');
  checkDocument(bytes, 0, length, 0, maxFields);
}

export function tooLarge(size: number): ServerError {
  return new ServerError(
    'BSONObjectTooLarge',
    `BSONObj size: ${size} (0x${size.toString(16).toUpperCase()}) is invalid. ` +
      `Size must be between 0 and ${MAX_INTERNAL_SIZE}(16MB)`,
  );
}

export function tooDeep(): ServerError {
  return new ServerError('Overflow', `BSONObj exceeds maximum nested object depth: ${MAX_DEPTH}`);
}

/** Returns the nesting depth of a document or array, including itself. The depth of any other value is 0. */
export function depthOf(value: Value): number {
  if (value.type !== bsonTypes.object && value.type !== bsonTypes.array) return 0;
  return depthAt(value.bytes, value.start);
}

/** Returns the nesting depth. Creates no object for a field, because a document may have a million fields. */
function depthAt(bytes: Uint8Array, start: number): number {
  let inner = 0;
  for (let at = start + 4; bytes[at] !== 0; ) {
    const type = bytes[at] as number;
    const from = findNul(bytes, at + 1) + 1;
    step();
    if (type === bsonTypes.object || type === bsonTypes.array) inner = Math.max(inner, depthAt(bytes, from));
    at = valueEnd(bytes, type, from);
  }
  return inner + 1;
}

function tooManyFields(most: number): ServerError {
  return new ServerError('FailedToParse', `A command may have at most ${most} fields`);
}

function invalid(reason: string): ServerError {
  return new ServerError('InvalidBSON', `Invalid BSON: ${reason}`);
}

/** Checks a document whose final NUL is at `end - 1`. No inner length may reach beyond it. */
function checkDocument(
  bytes: Uint8Array,
  offset: number,
  end: number,
  depth: number,
  maxFields = Number.POSITIVE_INFINITY,
): void {
  if (depth > MAX_DEPTH) throw tooDeep();
  let at = offset + 4;
  for (let fields = 1; bytes[at] !== 0; fields++) {
    step();
    if (fields > maxFields) throw tooManyFields(maxFields);
    const type = bytes[at] as number;
    if (typeName(type) === 'missing') throw invalid(`unrecognized type ${type}`);
    const nameEnd = findNul(bytes, at + 1);
    // The last byte is the NUL of the document. A name that reaches it is not terminated.
    if (nameEnd >= end - 1) throw invalid('a field name has no end');
    checkName(bytes, at + 1, nameEnd);
    at = checkValue(bytes, type, nameEnd + 1, end - 1, depth);
  }
  if (at !== end - 1) throw invalid('a document ends before its length');
}

function checkName(bytes: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++) {
    if ((bytes[i] as number) > 0x7f) {
      if (!isUtf8(bytes, start, end)) throw invalid('a field name is not UTF-8');
      return;
    }
  }
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  try {
    strictDecoder.decode(bytes.subarray(start, end));
    return true;
  } catch {
    return false;
  }
}

/** Returns the end of the value. `limit` is the offset of the enclosing document's NUL. */
function checkValue(bytes: Uint8Array, type: number, at: number, limit: number, depth: number): number {
  if (smallestLengths.has(type)) checkLength(bytes, type, at, limit);
  if (type === bsonTypes.regex && findNul(bytes, at) >= limit) throw invalid('a pattern has no end');
  const end = valueEnd(bytes, type, at);
  if (end > limit) throw invalid(`a value of type ${typeName(type)} is longer than its document`);
  switch (type) {
    case bsonTypes.object:
    case bsonTypes.array:
      if (bytes[end - 1] !== 0) throw invalid('a document does not end with a NUL');
      checkDocument(bytes, at, end, depth + 1);
      break;
    case bsonTypes.string:
    case bsonTypes.javascript:
    case bsonTypes.symbol:
      if (bytes[end - 1] !== 0) throw invalid('a string does not end with a NUL');
      break;
    case bsonTypes.dbPointer:
      if (bytes[end - 13] !== 0) throw invalid('a string does not end with a NUL');
      break;
    case bsonTypes.bool:
      if ((bytes[at] as number) > 1) throw invalid('a boolean is neither 0 nor 1');
      break;
    case bsonTypes.javascriptWithScope:
      checkCodeWithScope(bytes, at, end, depth);
      break;
  }
  return end;
}

/** The minimum value of the length prefix, by type. */
const smallestLengths = new Map<number, number>([
  [bsonTypes.string, 1],
  [bsonTypes.javascript, 1],
  [bsonTypes.symbol, 1],
  [bsonTypes.dbPointer, 1],
  [bsonTypes.binData, 0],
  [bsonTypes.object, MIN_SIZE],
  [bsonTypes.array, MIN_SIZE],
  [bsonTypes.javascriptWithScope, 14],
]);

function checkLength(bytes: Uint8Array, type: number, at: number, limit: number): void {
  if (at + 4 > limit) throw invalid(`a value of type ${typeName(type)} is longer than its document`);
  const length = readInt32(bytes, at);
  // Reject lengths beyond the limit before any addition, because a sum could overflow int32.
  if (length < (smallestLengths.get(type) as number) || length > limit - at) {
    throw invalid(`a value of type ${typeName(type)} has the length ${length}`);
  }
}

function checkCodeWithScope(bytes: Uint8Array, at: number, end: number, depth: number): void {
  checkLength(bytes, bsonTypes.javascript, at + 4, end);
  const scope = at + 8 + readInt32(bytes, at + 4);
  if (bytes[scope - 1] !== 0) throw invalid('a string does not end with a NUL');
  checkLength(bytes, bsonTypes.object, scope, end);
  if (scope + readInt32(bytes, scope) !== end || bytes[end - 1] !== 0) {
    throw invalid('a scope does not end with its code');
  }
  checkDocument(bytes, scope, end, depth + 1);
}
