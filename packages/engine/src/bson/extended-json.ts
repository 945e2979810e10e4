import { Decimal128 } from 'bson';
import { bsonTypes } from './bson-types.ts';
import { findNul, readDouble, readInt32, readInt64, readText } from './bytes.ts';
import { documentOf, RawDocument } from './raw.ts';
import { boolOf, int64Of, textOf, type Value } from './value.ts';

/**
 * Extended JSON v2 in canonical form, which keeps every type. It is written from the bytes, because
 * JavaScript objects would reorder fields with numeric names.
 */

/** Writes one line for each of the concatenated documents in `bytes`. */
export function extendedJsonLines(bytes: Uint8Array): string {
  let lines = '';
  for (let at = 0; at < bytes.length; ) {
    const document = new RawDocument(bytes, at);
    lines += `${textOfDocument(document)}\n`;
    at += document.length;
  }
  return lines;
}

function textOfDocument(document: RawDocument): string {
  let fields = '';
  for (const element of document)
    fields += `${fields === '' ? '' : ','}${JSON.stringify(element.name)}:${textOfValue(element)}`;
  return `{${fields}}`;
}

function textOfArray(entries: RawDocument): string {
  return `[${Array.from(entries, textOfValue).join(',')}]`;
}

const writers: Readonly<Record<number, (value: Value) => string>> = {
  [bsonTypes.double]: ({ bytes, start }) => one('$numberDouble', textOfDouble(readDouble(bytes, start))),
  [bsonTypes.string]: (value) => JSON.stringify(textOf(value)),
  [bsonTypes.object]: (value) => textOfDocument(documentOf(value)),
  [bsonTypes.array]: (value) => textOfArray(documentOf(value)),
  [bsonTypes.binData]: textOfBinary,
  [bsonTypes.undefined]: () => '{"$undefined":true}',
  [bsonTypes.objectId]: ({ bytes, start }) => one('$oid', hex(bytes, start, start + 12)),
  [bsonTypes.bool]: (value) => String(boolOf(value)),
  [bsonTypes.date]: (value) => `{"$date":${one('$numberLong', String(int64Of(value)))}}`,
  [bsonTypes.null]: () => 'null',
  [bsonTypes.regex]: textOfRegex,
  [bsonTypes.dbPointer]: ({ bytes, start, end }) =>
    `{"$dbPointer":{"$ref":${JSON.stringify(readText(bytes, start + 4, end - 13))},"$id":${one('$oid', hex(bytes, end - 12, end))}}}`,
  [bsonTypes.javascript]: (value) => one('$code', textOf(value)),
  [bsonTypes.symbol]: (value) => one('$symbol', textOf(value)),
  [bsonTypes.javascriptWithScope]: textOfScoped,
  [bsonTypes.int]: ({ bytes, start }) => one('$numberInt', String(readInt32(bytes, start))),
  [bsonTypes.timestamp]: ({ bytes, start }) =>
    `{"$timestamp":{"t":${readInt32(bytes, start + 4) >>> 0},"i":${readInt32(bytes, start) >>> 0}}}`,
  [bsonTypes.long]: ({ bytes, start }) => one('$numberLong', String(readInt64(bytes, start))),
  [bsonTypes.decimal]: ({ bytes, start }) =>
    one('$numberDecimal', new Decimal128(bytes.slice(start, start + 16)).toString()),
  [bsonTypes.minKey]: () => '{"$minKey":1}',
  [bsonTypes.maxKey]: () => '{"$maxKey":1}',
};

function textOfValue(value: Value): string {
  const write = writers[value.type];
  if (write === undefined) throw new Error(`unknown BSON type ${value.type}`);
  return write(value);
}

const one = (name: string, text: string) => `{"${name}":${JSON.stringify(text)}}`;

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
  // Subtype 2 stores its length twice.
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

/** Code with scope: the total length, the code with its own length, the scope. */
function textOfScoped({ bytes, start }: Value): string {
  const codeEnd = start + 8 + readInt32(bytes, start + 4);
  const code = JSON.stringify(readText(bytes, start + 8, codeEnd - 1));
  return `{"$code":${code},"$scope":${textOfDocument(new RawDocument(bytes, codeEnd))}}`;
}
