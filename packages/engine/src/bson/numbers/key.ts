import { bsonTypes } from '../bson-types.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { readDouble, readInt32, readInt64 } from '../bytes.ts';
import { double, int32, int64, type Value } from '../value.ts';
import { exactDecimalOfDouble } from './decimal-of-double.ts';
import {
  compareDecimals,
  type Decimal,
  decimalFromInteger,
  decimalToDouble,
  decodeDecimal,
  digitsOf,
  power,
} from './decimal128.ts';

/**
 * This file encodes a number as a key: the greatest double that does not exceed the number, followed by a tail. If the
 * number equals this double, the tail is the single byte 0. Otherwise the number is an int64 or a decimal128, and the
 * tail consists of the byte 1, the decimal exponent and the digits. Such tails sort the numbers between two doubles.
 */

const EXACT = 0;
const BETWEEN = 1;
const DIGITS = 34;
/** A bias that makes the decimal exponent of every int64 and decimal128 positive. */
const EXPONENT_BIAS = 0x4000;

export function writeNumberKey(writer: ByteWriter, value: Value): void {
  switch (value.type) {
    case bsonTypes.int:
      writeExact(writer, readInt32(value.bytes, value.start));
      break;
    case bsonTypes.double:
      writeExact(writer, readDouble(value.bytes, value.start));
      break;
    case bsonTypes.long:
      writeLong(writer, readInt64(value.bytes, value.start));
      break;
    default:
      writeDecimal(writer, decodeDecimal(value.bytes, value.start));
  }
}

function writeExact(writer: ByteWriter, value: number): void {
  writeOrderedDouble(writer, value);
  writer.byte(EXACT);
}

function writeLong(writer: ByteWriter, value: bigint): void {
  const nearest = Number(value);
  const exact = BigInt(nearest);
  if (exact === value) writeExact(writer, nearest);
  else writeBetween(writer, exact > value ? nextBelow(nearest) : nearest, decimalFromInteger(value));
}

function writeDecimal(writer: ByteWriter, value: Decimal): void {
  const nearest = decimalToDouble(value);
  const order = value.kind === 'finite' ? compareDecimals(exactDecimalOfDouble(nearest), value) : 0;
  if (order === 0) writeExact(writer, nearest);
  else writeBetween(writer, order > 0 ? nextBelow(nearest) : nearest, value);
}

function writeBetween(writer: ByteWriter, below: number, value: Decimal): void {
  writeOrderedDouble(writer, below);
  writer.byte(BETWEEN);
  const start = writer.length;
  const digits = digitsOf(value.coefficient);
  const exponent = value.exponent + digits + EXPONENT_BIAS;
  writer.byte(exponent >> 8);
  writer.byte(exponent & 0xff);
  // 15 bytes suffice for every coefficient of 34 digits: 10^34 < 2^113.
  let rest = value.coefficient * power(DIGITS - digits);
  const bytes = new Uint8Array(15);
  for (let i = 14; i >= 0; i--) {
    bytes[i] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  writer.span(bytes);
  if (value.negative) writer.invert(start);
}

const view = new DataView(new ArrayBuffer(8));
const viewBytes = new Uint8Array(view.buffer);
const SIGN = 1n << 63n;
const ALL = (1n << 64n) - 1n;

/** Writes eight bytes that sort like doubles. NaN is all zeros, which is below minus infinity. */
function writeOrderedDouble(writer: ByteWriter, value: number): void {
  // Adding 0 converts -0 to 0.
  view.setFloat64(0, Number.isNaN(value) ? 0 : value + 0);
  if (Number.isNaN(value)) {
    writer.span(viewBytes);
    return;
  }
  const negative = (viewBytes[0] as number) >= 0x80;
  if (!negative) viewBytes[0] = (viewBytes[0] as number) | 0x80;
  else for (let i = 0; i < 8; i++) viewBytes[i] = ~(viewBytes[i] as number);
  writer.span(viewBytes);
}

/** Returns the next smaller double. */
function nextBelow(value: number): number {
  if (value === 0) return -Number.MIN_VALUE;
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  view.setBigUint64(0, (bits & SIGN) === 0n ? bits - 1n : (bits + 1n) & ALL);
  return view.getFloat64(0);
}

/** Returns the end of the number key that starts at `at`. */
export function numberKeyEnd(key: Uint8Array, at: number): number {
  return at + (key[at + 8] === EXACT ? 9 : 26);
}

/**
 * Decodes an int32, int64 or double from a key. Returns undefined if the key is that of NaN or of another type, because
 * such a key does not determine the value. A zero becomes positive.
 */
export function readNumberKey(key: Uint8Array, at: number, type: number): Value | undefined {
  const nearest = readOrderedDouble(key, at);
  if (nearest === undefined) return undefined;
  const exact = key[at + 8] === EXACT;
  if (type === bsonTypes.double) return exact ? double(nearest) : undefined;
  if (exact && !Number.isInteger(nearest)) return undefined;
  if (type === bsonTypes.int) return exact ? int32(nearest) : undefined;
  if (type !== bsonTypes.long) return undefined;
  return int64(exact ? BigInt(nearest) : readBetween(key, at + 9, nearest < 0));
}

/** Decodes the integer whose digits are in a tail. */
function readBetween(key: Uint8Array, at: number, negative: boolean): bigint {
  const flip = negative ? 0xff : 0;
  const byte = (i: number) => (key[at + i] as number) ^ flip;
  const digits = ((byte(0) << 8) | byte(1)) - EXPONENT_BIAS;
  let coefficient = 0n;
  for (let i = 2; i < 17; i++) coefficient = (coefficient << 8n) | BigInt(byte(i));
  const whole = coefficient / power(DIGITS - digits);
  return negative ? -whole : whole;
}

function readOrderedDouble(key: Uint8Array, at: number): number | undefined {
  const positive = (key[at] as number) >= 0x80;
  let some = 0;
  for (let i = 0; i < 8; i++) {
    const byte = key[at + i] as number;
    some |= byte;
    viewBytes[i] = positive ? byte : ~byte;
  }
  if (some === 0) return undefined;
  if (positive) viewBytes[0] = (viewBytes[0] as number) & 0x7f;
  return view.getFloat64(0);
}
