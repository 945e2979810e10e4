import { ServerError } from '../errors/server-error.ts';
import { bsonTypes } from './bson-types.ts';
import { copied, steps } from './turns.ts';

/**
 * This file contains functions that read BSON at an offset without bounds checks. The bytes were validated when they
 * arrived (`validate.ts`). Numbers are read byte by byte: values are unaligned, and creating a DataView for each
 * document would take longer than looking up a field.
 */

const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

export function readInt32(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}

function loadScratch(bytes: Uint8Array, at: number): void {
  for (let i = 0; i < 8; i++) scratchBytes[i] = bytes[at + i] as number;
}

export function readDouble(bytes: Uint8Array, at: number): number {
  loadScratch(bytes, at);
  return scratch.getFloat64(0, true);
}

export function readInt64(bytes: Uint8Array, at: number): bigint {
  loadScratch(bytes, at);
  return scratch.getBigInt64(0, true);
}

export function readUint64(bytes: Uint8Array, at: number): bigint {
  loadScratch(bytes, at);
  return scratch.getBigUint64(0, true);
}

/** Returns the offset of the first NUL at or after `at`. */
export function findNul(bytes: Uint8Array, at: number): number {
  const short = at + LONG_BYTES;
  let i = at;
  while (bytes[i] !== 0 && i < short) i++;
  if (i < short) return i;
  // For a long text, the native search is ten times as fast.
  i = bytes.indexOf(0, i);
  steps((i - at) >> READ_SHIFT);
  return i;
}

/**
 * Reading up to this many bytes does not count as steps (`turns.ts`). Longer reads count, because a name may have 16
 * MB.
 */
const LONG_BYTES = 4_096;
/** Binary logarithm of the number of bytes that can be searched or decoded in the time of one step. */
const READ_SHIFT = 7;

/**
 * Decodes UTF-8. Most names and many values are ASCII texts of at most 16 bytes, for which a loop is faster than the
 * decoder in Node 24.
 */
export function readText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= 16) {
    let text = '';
    let i = start;
    for (; i < end; i++) {
      const byte = bytes[i] as number;
      if (byte > 0x7f) break;
      text += String.fromCharCode(byte);
    }
    if (i === end) return text;
  } else if (end - start > LONG_BYTES) steps((end - start) >> READ_SHIFT);
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');
}

const NAMES_KEPT = 1_024;
const LONGEST_KEPT = 32;
/** A cache of recently read names, indexed by a hash of a few of their bytes. */
const names: Array<{ readonly bytes: Uint8Array; readonly text: string } | undefined> = new Array(NAMES_KEPT);

/** Decodes a field name. Names recur, so most calls only compare bytes and return a cached string. */
export function readName(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  if (length === 0 || length > LONGEST_KEPT) return readText(bytes, start, end);
  const middle = bytes[start + (length >> 1)] as number;
  const place =
    (length * 37 + (bytes[start] as number) * 131 + middle * 29 + (bytes[end - 1] as number) * 7) &
    (NAMES_KEPT - 1);
  const kept = names[place];
  if (kept !== undefined && kept.bytes.length === length) {
    let i = 0;
    while (i < length && kept.bytes[i] === bytes[start + i]) i++;
    if (i === length) return kept.text;
  }
  const text = readText(bytes, start, end);
  names[place] = { bytes: copySpan(bytes, start, end), text };
  return text;
}

/** A copy of this size takes about 0.5 ms, because each page of the new buffer has to be mapped. */
export const PIECE_BYTES = 1 << 20;

/** Copies a range of bytes. `Buffer.slice` would share the memory. */
export function copySpan(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (end - start <= PIECE_BYTES) return Uint8Array.prototype.slice.call(bytes, start, end);
  const copy = new Uint8Array(end - start);
  copyTo(copy, 0, bytes, start, end);
  return copy;
}

/** Copies a range of bytes to another buffer in pieces. Other statements may run after each piece. */
export function copyTo(target: Uint8Array, at: number, bytes: Uint8Array, start: number, end: number): void {
  for (let from = start; from < end; from += PIECE_BYTES) {
    const to = Math.min(from + PIECE_BYTES, end);
    target.set(bytes.subarray(from, to), at + from - start);
    copied(to - from);
  }
}

/**
 * The sizes of fixed-length values by type byte. The size is 0 for types whose values contain their length.
 */
const fixedSizes = new Uint8Array(256);
for (const [type, size] of [
  [bsonTypes.double, 8],
  [bsonTypes.objectId, 12],
  [bsonTypes.bool, 1],
  [bsonTypes.date, 8],
  [bsonTypes.int, 4],
  [bsonTypes.timestamp, 8],
  [bsonTypes.long, 8],
  [bsonTypes.decimal, 16],
] as const) {
  fixedSizes[type] = size;
}

/** Returns the end of the value at `at` with the given type. */
export function valueEnd(bytes: Uint8Array, type: number, at: number): number {
  const fixed = fixedSizes[type] as number;
  if (fixed !== 0) return at + fixed;
  switch (type) {
    case bsonTypes.string:
    case bsonTypes.javascript:
    case bsonTypes.symbol:
      return at + 4 + readInt32(bytes, at);
    case bsonTypes.object:
    case bsonTypes.array:
    case bsonTypes.javascriptWithScope:
      return at + readInt32(bytes, at);
    case bsonTypes.binData:
      return at + 5 + readInt32(bytes, at);
    case bsonTypes.regex:
      return findNul(bytes, findNul(bytes, at) + 1) + 1;
    case bsonTypes.dbPointer:
      return at + 4 + readInt32(bytes, at) + 12;
    case bsonTypes.null:
    case bsonTypes.undefined:
    case bsonTypes.minKey:
    case bsonTypes.maxKey:
      return at;
    default:
      throw new ServerError('InvalidBSON', `Unrecognized BSON type ${type}`);
  }
}

/**
 * Binary logarithm of the number of bytes that can be compared one by one in the time of one step. `turns.ts`
 * defines a step.
 */
const BYTES_SHIFT = 5;
/** Number of bytes of a long range that are compared in one call. */
const COMPARED_BYTES = 65_536;

/** Compares two ranges of bytes lexicographically. A prefix comes before the longer range. Returns -1, 0 or 1. */
export function compareSpans(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const aLength = aEnd - aStart;
  const bLength = bEnd - bStart;
  const common = Math.min(aLength, bLength);
  if (common > LONG_BYTES) {
    const order = compareLong(a, aStart, b, bStart, common);
    if (order !== 0) return order;
    return aLength === bLength ? 0 : aLength < bLength ? -1 : 1;
  }
  for (let i = 0; i < common; i++) {
    const difference = (a[aStart + i] as number) - (b[bStart + i] as number);
    if (difference === 0) continue;
    steps(1 + (i >> BYTES_SHIFT));
    return difference < 0 ? -1 : 1;
  }
  steps(1 + (common >> BYTES_SHIFT));
  return aLength === bLength ? 0 : aLength < bLength ? -1 : 1;
}

/**
 * Compares long ranges of the same length in pieces, after which other statements may run. The native comparison of a
 * piece is ten times as fast as a loop.
 */
function compareLong(
  a: Uint8Array,
  aStart: number,
  b: Uint8Array,
  bStart: number,
  length: number,
): -1 | 0 | 1 {
  for (let from = 0; from < length; from += COMPARED_BYTES) {
    const to = Math.min(from + COMPARED_BYTES, length);
    const order = Buffer.compare(
      a.subarray(aStart + from, aStart + to),
      b.subarray(bStart + from, bStart + to),
    );
    copied(to - from);
    if (order !== 0) return order;
  }
  return 0;
}

/** Compares whole arrays like `memcmp`. A prefix comes before the longer array. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  return compareSpans(a, 0, a.length, b, 0, b.length);
}
