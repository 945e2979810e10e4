import { Decimal128 } from 'bson';
import { bsonTypes } from './bson-types.ts';
import { findNul, readDouble, readInt32, readInt64, readText } from './bytes.ts';
import { documentOf, RawDocument } from './raw.ts';
import { boolOf, doubleOf, int32Of, int64Of, textOf, type Value } from './value.ts';

/**
 * This file writes Extended JSON v2 directly from the bytes, because JavaScript objects would reorder fields with
 * numeric names and round numbers.
 */

/**
 * Writes one line of canonical Extended JSON per document. The canonical form preserves every type. `bytes`
 * contains concatenated documents.
 */
export function extendedJsonLines(bytes: Uint8Array): string {
  let lines = '';
  for (let at = 0; at < bytes.length; ) {
    const document = new RawDocument(bytes, at);
    lines += `${textOfDocument(document, canonical)}\n`;
    at += document.length;
  }
  return lines;
}

/**
 * Writes the relaxed form, for people: numbers and dates are plain JSON. Values that JSON parsers would round
 * remain canonical.
 */
export function relaxedJson(document: RawDocument): string {
  return textOfDocument(document, relaxed);
}

/** Returns a value in the relaxed form. */
export function relaxedJsonOf(value: Value): string {
  return textOfValue(value, relaxed);
}

/** Returns a value in the shortest form from which readers restore the same type. */
export function shortestJsonOf(value: Value): string {
  return textOfValue(value, shortest);
}

/** Returns a value in the relaxed form, except that dates have the form of `Date.toISOString`. */
export function plainJsonOf(value: Value): string {
  return textOfValue(value, relaxedWithZ);
}

type Write = (value: Value, form: Form) => string;
type Form = Readonly<Record<number, Write>>;

function textOfDocument(document: RawDocument, form: Form): string {
  let fields = '';
  for (let element = document.first(); element !== undefined; element = document.after(element))
    fields += `${fields === '' ? '' : ','}${quotedName(element.name)}:${textOfValue(element, form)}`;
  return `{${fields}}`;
}

function textOfArray(array: RawDocument, form: Form): string {
  let entries = '';
  for (let entry = array.first(); entry !== undefined; entry = array.after(entry))
    entries += `${entries === '' ? '' : ','}${textOfValue(entry, form)}`;
  return `[${entries}]`;
}

const PLAIN_NAME = /^[\w $.-]*$/;

/**
 * Tests for escapes first, because most names need none and the test is much faster than `JSON.stringify`.
 */
export const quotedName = (name: string) => (PLAIN_NAME.test(name) ? `"${name}"` : JSON.stringify(name));

const canonical: Form = {
  [bsonTypes.double]: ({ bytes, start }) => plain('$numberDouble', textOfDouble(readDouble(bytes, start))),
  [bsonTypes.string]: (value) => JSON.stringify(textOf(value)),
  [bsonTypes.object]: (value, form) => textOfDocument(documentOf(value), form),
  [bsonTypes.array]: (value, form) => textOfArray(documentOf(value), form),
  [bsonTypes.binData]: textOfBinary,
  [bsonTypes.undefined]: () => '{"$undefined":true}',
  [bsonTypes.objectId]: ({ bytes, start }) => plain('$oid', hex(bytes, start, start + 12)),
  [bsonTypes.bool]: (value) => String(boolOf(value)),
  [bsonTypes.date]: (value) => `{"$date":${plain('$numberLong', String(int64Of(value)))}}`,
  [bsonTypes.null]: () => 'null',
  [bsonTypes.regex]: textOfRegex,
  [bsonTypes.dbPointer]: ({ bytes, start, end }) =>
    `{"$dbPointer":{"$ref":${JSON.stringify(readText(bytes, start + 4, end - 13))},"$id":${plain('$oid', hex(bytes, end - 12, end))}}}`,
  [bsonTypes.javascript]: (value) => one('$code', textOf(value)),
  [bsonTypes.symbol]: (value) => one('$symbol', textOf(value)),
  [bsonTypes.javascriptWithScope]: textOfScoped,
  [bsonTypes.int]: ({ bytes, start }) => plain('$numberInt', String(readInt32(bytes, start))),
  [bsonTypes.timestamp]: ({ bytes, start }) =>
    `{"$timestamp":{"t":${readInt32(bytes, start + 4) >>> 0},"i":${readInt32(bytes, start) >>> 0}}}`,
  [bsonTypes.long]: ({ bytes, start }) => plain('$numberLong', String(readInt64(bytes, start))),
  [bsonTypes.decimal]: ({ bytes, start }) =>
    plain('$numberDecimal', new Decimal128(bytes.slice(start, start + 16)).toString()),
  [bsonTypes.minKey]: () => '{"$minKey":1}',
  [bsonTypes.maxKey]: () => '{"$maxKey":1}',
};

/**
 * The last millisecond of the year 9999. The relaxed form writes a date as text only if its year has four
 * digits.
 */
const LAST_DATE = 253_402_300_799_999n;
const LARGEST_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

const relaxed: Form = {
  ...canonical,
  [bsonTypes.double](value) {
    const number = doubleOf(value);
    return Number.isFinite(number) ? textOfDouble(number) : textOfValue(value, canonical);
  },
  [bsonTypes.int]: (value) => String(int32Of(value)),
  [bsonTypes.long](value) {
    const number = int64Of(value);
    const isSafe = number <= LARGEST_SAFE && number >= -LARGEST_SAFE;
    return isSafe ? String(number) : textOfValue(value, canonical);
  },
  [bsonTypes.date](value) {
    const ms = int64Of(value);
    if (ms < 0n || ms > LAST_DATE) return textOfValue(value, canonical);
    // Writes the time zone as `+00:00`, like the server's logs.
    return `{"$date":"${new Date(Number(ms)).toISOString().replace('Z', '+00:00')}"}`;
  },
};

const INT32 = 2n ** 31n;

/** Returns a date as text if its year is between 1970 and 9999. */
function shortDateOf(value: Value): string | undefined {
  const ms = int64Of(value);
  return ms < 0n || ms > LAST_DATE ? undefined : `{"$date":"${new Date(Number(ms)).toISOString()}"}`;
}

const shortest: Form = {
  ...canonical,
  [bsonTypes.int]: (value) => String(int32Of(value)),
  [bsonTypes.double](value) {
    const number = doubleOf(value);
    const isShort = Number.isFinite(number) && !Number.isInteger(number);
    return isShort ? String(number) : textOfValue(value, canonical);
  },
  [bsonTypes.long](value) {
    const number = int64Of(value);
    const size = number < 0n ? -number : number;
    return size > INT32 && size <= LARGEST_SAFE ? String(number) : textOfValue(value, canonical);
  },
  [bsonTypes.date]: (value) => shortDateOf(value) ?? textOfValue(value, canonical),
};

const relaxedWithZ: Form = {
  ...relaxed,
  [bsonTypes.date]: (value) => shortDateOf(value) ?? textOfValue(value, canonical),
};

function textOfValue(value: Value, form: Form): string {
  const write = form[value.type];
  if (write === undefined) throw new Error(`unknown BSON type ${value.type}`);
  return write(value, form);
}

const one = (name: string, text: string) => `{"${name}":${JSON.stringify(text)}}`;

/** Writes a text that needs no escapes: digits and letters. */
const plain = (name: string, text: string) => `{"${name}":"${text}"}`;

const view = (bytes: Uint8Array, start: number, end: number) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);

const hex = (bytes: Uint8Array, start: number, end: number) => view(bytes, start, end).toString('hex');

function textOfDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

const OLD_BINARY = 2;

function textOfBinary({ bytes, start, end }: Value): string {
  const subtype = bytes[start + 4] ?? 0;
  // A binary value of subtype 2 contains its length twice.
  const content = view(bytes, start + (subtype === OLD_BINARY ? 9 : 5), end).toString('base64');
  const kind = subtype.toString(16).padStart(2, '0');
  return `{"$binary":{"base64":"${content}","subType":"${kind}"}}`;
}

function textOfRegex({ bytes, start, end }: Value): string {
  const middle = findNul(bytes, start);
  const pattern = JSON.stringify(readText(bytes, start, middle));
  const options = JSON.stringify(readText(bytes, middle + 1, end - 1));
  return `{"$regularExpression":{"pattern":${pattern},"options":${options}}}`;
}

function textOfScoped(value: Value, form: Form): string {
  const { code, scope } = scopedCode(value);
  return `{"$code":${JSON.stringify(code)},"$scope":${textOfDocument(scope, form)}}`;
}

/**
 * Decodes a value of the type code with scope. The value consists of its total length, the code with its length, and
 * the scope.
 */
export function scopedCode({ bytes, start }: Value): { readonly code: string; readonly scope: RawDocument } {
  const codeEnd = start + 8 + readInt32(bytes, start + 4);
  return { code: readText(bytes, start + 8, codeEnd - 1), scope: new RawDocument(bytes, codeEnd) };
}
