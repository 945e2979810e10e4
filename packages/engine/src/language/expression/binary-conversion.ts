import { isUtf8 } from 'node:buffer';
import { bsonTypes } from '../../bson/bson-types.ts';
import { copySpan } from '../../bson/bytes.ts';
import { copied } from '../../bson/turns.ts';
import { doubleOf, int32Of, int64Of, textOf, Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ConversionError, unsupported } from './conversion-error.ts';

export interface BinaryOptions {
  readonly subtype: number;
  readonly format: string | undefined;
  readonly littleEndian: boolean;
}

export const formats: ReadonlySet<string> = new Set(['auto', 'base64', 'base64url', 'hex', 'uuid', 'utf8']);

const UUID_SUBTYPE = 4;

function contentOf(value: Value): Buffer {
  return Buffer.from(copySpan(value.bytes, value.start + 5, value.end));
}

function binary(content: Uint8Array, subtype: number): Value {
  const bytes = new Uint8Array(content.length + 5);
  new DataView(bytes.buffer).setInt32(0, content.length, true);
  bytes[4] = subtype;
  bytes.set(content, 5);
  return new Value(bsonTypes.binData, bytes, 0, bytes.length);
}

export function toBinary(value: Value, options: BinaryOptions): Value {
  switch (value.type) {
    case bsonTypes.string:
      return binary(decoded(textOf(value), options), options.subtype);
    case bsonTypes.binData:
      if (value.bytes[value.start + 4] === options.subtype) return value;
      throw new ConversionError('Conversions between different binData subtypes are not supported');
    case bsonTypes.int:
    case bsonTypes.long:
    case bsonTypes.double:
      return binary(bytesOfNumber(value, options.littleEndian), options.subtype);
    default:
      throw unsupported(value, 'binData');
  }
}

function bytesOfNumber(value: Value, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(value.type === bsonTypes.int ? 4 : 8));
  if (value.type === bsonTypes.int) view.setInt32(0, int32Of(value), littleEndian);
  else if (value.type === bsonTypes.long) view.setBigInt64(0, int64Of(value), littleEndian);
  else view.setFloat64(0, doubleOf(value), littleEndian);
  return new Uint8Array(view.buffer);
}

/** Reads binary data as a signed integer or a floating-point number of the same size. */
export function numberInBinary(
  value: Value,
  to: 'int' | 'long' | 'double',
  { littleEndian }: BinaryOptions,
): number | bigint {
  const content = contentOf(value);
  const view = new DataView(content.buffer, content.byteOffset, content.length);
  if (to === 'double') {
    if (content.length === 4) return view.getFloat32(0, littleEndian);
    if (content.length === 8) return view.getFloat64(0, littleEndian);
  } else {
    if (content.length === 1) return view.getInt8(0);
    if (content.length === 2) return view.getInt16(0, littleEndian);
    if (content.length === 4) return view.getInt32(0, littleEndian);
    if (content.length === 8 && to === 'long') return view.getBigInt64(0, littleEndian);
  }
  throw new ConversionError(`Failed to convert ${content.length} bytes of binData to ${to} in $convert`);
}

function formatOf({ format, subtype }: BinaryOptions): string {
  if (format === undefined) {
    throw new ServerError(4341115, "Format must be specified when converting between 'string' and 'binData'");
  }
  if (format !== 'auto') return format;
  return subtype === UUID_SUBTYPE ? 'uuid' : 'base64';
}

const uuidPattern = /^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/;

/** Whether a text has a format. A pattern of groups of four characters would overflow the stack on a long text. */
const shapes: Readonly<Record<string, (text: string) => boolean>> = {
  base64: (text) => text.length % 4 === 0 && isBase64(text, /[^A-Za-z0-9+/]/),
  base64url: (text) => (text.length % 4 === 0 || !text.endsWith('=')) && isBase64(text, /[^A-Za-z0-9_-]/),
  hex: (text) => text.length % 2 === 0 && !/[^0-9a-fA-F]/.test(text),
  uuid: (text) => uuidPattern.test(text),
};

/** Whether a text without its padding has only characters of the alphabet, and a possible length. */
function isBase64(text: string, foreign: RegExp): boolean {
  const content = /=?=$/.test(text.slice(-2)) ? text.replace(/==?$/, '') : text;
  return content.length % 4 !== 1 && !foreign.test(content);
}

function decoded(text: string, options: BinaryOptions): Uint8Array {
  const format = formatOf(options);
  if (options.format === 'auto') throw new ConversionError("A text has no format 'auto'");
  const isUuid = format === 'uuid';
  if (isUuid && options.subtype !== UUID_SUBTYPE) {
    throw unparsable(text, "Only the UUID subtype (4) is allowed with the 'uuid' format");
  }
  if (!isUuid && options.subtype === UUID_SUBTYPE) {
    throw unparsable(text, "Only the 'uuid' format is allowed with the UUID subtype (4)");
  }
  if (shapes[format]?.(text) === false) {
    throw unparsable(text, `Input is not a valid ${isUuid ? 'UUID' : format} string`);
  }
  return Buffer.from(isUuid ? text.replaceAll('-', '') : text, isUuid ? 'hex' : (format as BufferEncoding));
}

function unparsable(text: string, reason: string): ConversionError {
  return new ConversionError(
    `Failed to parse BinData '${text}' in $convert with no onError value: ${reason}.`,
  );
}

export function binaryText(value: Value, options: BinaryOptions): string {
  const subtype = value.bytes[value.start + 4] as number;
  const content = contentOf(value);
  const isUuid = subtype === UUID_SUBTYPE && content.length === 16;
  const format = options.format === 'auto' && !isUuid ? 'base64' : formatOf({ ...options, subtype });
  if (format !== 'uuid') return textIn(content, format);
  if (!isUuid) {
    throw new ConversionError("Only binData of subtype 4 and 16 bytes has the format 'uuid'");
  }
  return content.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function textIn(content: Buffer, format: string): string {
  if (format === 'hex') return content.toString('hex').toUpperCase();
  if (format === 'utf8' && !isUtf8(content)) throw new ConversionError('BinData is not valid UTF-8');
  const text = content.toString(format as BufferEncoding);
  // Decoding 16 MB takes 20 ms, and the caller encodes the text again.
  copied(content.length);
  return text;
}
