import { bsonTypes, isNumberType } from './bson-types.ts';
import {
  compareSpans,
  copySpan,
  findNul,
  readDouble,
  readInt32,
  readInt64,
  readName,
  readText,
  valueEnd,
} from './bytes.ts';
import { step } from './turns.ts';

/**
 * A BSON value: a type byte and a range of bytes, which lies within a document or fills a buffer of its own.
 * Values are compared, copied and encoded as keys without being decoded. Only the functions below decode
 * them. Therefore types remain distinct, values are preserved bit for bit, and reading a field does not
 * decode other fields. A missing value is `undefined`. A value keeps its whole buffer in memory, so a value
 * that is kept for long should be a `detached` copy.
 */
export class Value {
  readonly type: number;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;

  constructor(type: number, bytes: Uint8Array, start: number, end: number) {
    step();
    this.type = type;
    this.bytes = bytes;
    this.start = start;
    this.end = end;
  }

  /** True if type and bytes are equal. `1` and `1.0` differ, and so do `0.0` and `-0.0`. */
  identical(other: Value): boolean {
    return (
      this.type === other.type &&
      compareSpans(this.bytes, this.start, this.end, other.bytes, other.start, other.end) === 0
    );
  }

  /** Returns a copy in a buffer of its own. */
  detached(): Value {
    return new Value(this.type, copySpan(this.bytes, this.start, this.end), 0, this.end - this.start);
  }
}

/** A field of a document or an entry of an array: a value with its name. */
export class Element extends Value {
  readonly nameStart: number;
  readonly nameEnd: number;

  constructor(
    type: number,
    bytes: Uint8Array,
    nameStart: number,
    nameEnd: number,
    start: number,
    end: number,
  ) {
    super(type, bytes, start, end);
    this.nameStart = nameStart;
    this.nameEnd = nameEnd;
  }

  get name(): string {
    return readName(this.bytes, this.nameStart, this.nameEnd);
  }
}

/** Returns the element whose type byte is at `at`, or undefined at the end of a document. */
export function elementAt(bytes: Uint8Array, at: number): Element | undefined {
  const type = bytes[at] as number;
  if (type === 0) return undefined;
  const nameEnd = findNul(bytes, at + 1);
  return new Element(type, bytes, at + 1, nameEnd, nameEnd + 1, valueEnd(bytes, type, nameEnd + 1));
}

export function isNumber(value: Value): boolean {
  return isNumberType(value.type);
}

/** True for null and the deprecated type `undefined`, which count as absent in arguments. */
export function isAbsent({ type }: Value): boolean {
  return type === bsonTypes.null || type === bsonTypes.undefined;
}

/** Returns the text of a string, symbol or JavaScript code. */
export function textOf(value: Value): string {
  return readText(value.bytes, value.start + 4, value.start + 3 + readInt32(value.bytes, value.start));
}

export function boolOf(value: Value): boolean {
  return value.bytes[value.start] !== 0;
}

export function int32Of(value: Value): number {
  return readInt32(value.bytes, value.start);
}

export function doubleOf(value: Value): number {
  return readDouble(value.bytes, value.start);
}

/** Returns an int64, or the milliseconds of a date. */
export function int64Of(value: Value): bigint {
  return readInt64(value.bytes, value.start);
}

const encoder = new TextEncoder();

/**
 * All calls share this view, because creating a DataView for each number would take longer than encoding the
 * number.
 */
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

function fixed(type: number, write: (view: DataView) => void): Value {
  write(scratch);
  return new Value(type, scratchBytes.slice(), 0, 8);
}

const none = new Uint8Array(0);
export const nullValue = new Value(bsonTypes.null, none, 0, 0);
export const minKey = new Value(bsonTypes.minKey, none, 0, 0);
export const maxKey = new Value(bsonTypes.maxKey, none, 0, 0);

export const trueValue = new Value(bsonTypes.bool, Uint8Array.of(1), 0, 1);
export const falseValue = new Value(bsonTypes.bool, Uint8Array.of(0), 0, 1);

export function bool(value: boolean): Value {
  return value ? trueValue : falseValue;
}

export function int32(value: number): Value {
  return new Value(
    bsonTypes.int,
    Uint8Array.of(value & 0xff, (value >> 8) & 0xff, (value >> 16) & 0xff, value >>> 24),
    0,
    4,
  );
}

export function int64(value: bigint): Value {
  return fixed(bsonTypes.long, (view) => view.setBigInt64(0, value, true));
}

export function double(value: number): Value {
  // Arithmetic produces NaNs with different signs and payloads. All of them are written as the canonical NaN.
  const written = Number.isNaN(value) ? Number.NaN : value;
  return fixed(bsonTypes.double, (view) => view.setFloat64(0, written, true));
}

/** Encodes a date. `ms` is in milliseconds since the epoch. */
export function date(ms: bigint): Value {
  return fixed(bsonTypes.date, (view) => view.setBigInt64(0, ms, true));
}

/** Encodes a decimal128 from its 16 bytes, which are little-endian. */
export function decimal(bytes: Uint8Array): Value {
  return new Value(bsonTypes.decimal, bytes, 0, 16);
}

export function objectId(id: Uint8Array): Value {
  return new Value(bsonTypes.objectId, id, 0, 12);
}

export function string(text: string): Value {
  const length = Buffer.byteLength(text);
  const bytes = new Uint8Array(length + 5);
  new DataView(bytes.buffer).setInt32(0, length + 1, true);
  encoder.encodeInto(text, bytes.subarray(4));
  return new Value(bsonTypes.string, bytes, 0, bytes.length);
}

/**
 * The maximum of `timestampSeconds`. Timestamps end one day later, in 2106. The oplog needs this day, because its times
 * must increase even after the clock has reached the maximum.
 */
const LAST_TIMESTAMP_SECOND = 2 ** 32 - 1 - 86_400;

/** Returns the seconds of a timestamp for a time in milliseconds, clamped to the range from 1970 to 2106. */
export function timestampSeconds(ms: number): number {
  return Math.min(Math.max(0, Math.floor(ms / 1000)), LAST_TIMESTAMP_SECOND);
}

/**
 * Encodes a timestamp. `seconds` are seconds since the epoch, and `ordinal` numbers the timestamps within a second.
 */
export function timestamp(seconds: number, ordinal: number): Value {
  return fixed(bsonTypes.timestamp, (view) => {
    view.setUint32(0, ordinal, true);
    view.setUint32(4, seconds, true);
  });
}
