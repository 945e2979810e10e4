import { Decimal128 } from 'bson';
import { bsonTypes, type TypeName } from '../../packages/engine/src/bson/bson-types.ts';
import { RawDocument } from '../../packages/engine/src/bson/raw.ts';
import {
  double,
  int32,
  int64,
  maxKey,
  minKey,
  nullValue,
  Value,
} from '../../packages/engine/src/bson/value.ts';

/** The sample values: all 21 BSON types, with the extreme values of each. */

export interface Sample {
  readonly type: TypeName;
  /** Distinguishes the values of one type. */
  readonly label: string;
  readonly value: Value;
  /** A text for the number. Equal numbers of different types have the same text. */
  readonly number?: string;
}

/** Converts a value to BSON. */
export function bsonOf(value: unknown): Value {
  return RawDocument.from({ value }).get('value') as Value;
}

/** Returns a value that consists of a length, a text, NUL, and then `rest`. */
function textual(type: TypeName, text: string, rest: readonly number[] = []): Value {
  const bytes = Buffer.alloc(4 + text.length + 1 + rest.length);
  bytes.writeInt32LE(text.length + 1, 0);
  bytes.write(text, 4);
  bytes.set(rest, 4 + text.length + 1);
  return new Value(bsonTypes[type], bytes, 0, bytes.length);
}

/** Code, followed by the scope `{}`. The length of both comes first. */
function codeWithScope(text: string): Value {
  const code = textual('javascript', text);
  const bytes = Buffer.concat([Buffer.alloc(4), code.bytes, RawDocument.empty.toBytes()]);
  bytes.writeInt32LE(bytes.length, 0);
  return new Value(bsonTypes.javascriptWithScope, bytes, 0, bytes.length);
}

const ID = Array.from({ length: 12 }, () => 0x61);

export const UUID = new Value(bsonTypes.binData, Uint8Array.of(16, 0, 0, 0, 4, ...ID, 1, 2, 3, 4), 0, 21);

const decimals = [
  '1',
  '0',
  '-0',
  '-1',
  '1.5',
  'NaN',
  'Infinity',
  '-Infinity',
  '2147483648',
  '9223372036854775808',
];
const doubles = [1, 0, -0, -1, 1.5, Number.NaN, Infinity, -Infinity, 2 ** 31, 2 ** 53, 2 ** 63];

/** Numbers that are displayed as powers of two. */
const powers: Readonly<Record<string, string>> = {
  '2147483647': '2^31-1',
  '2147483648': '2^31',
  '9007199254740992': '2^53',
  '9223372036854775807': '2^63-1',
  '9223372036854775808': '2^63',
  '-9223372036854775808': '-2^63',
};

const numbers: readonly Sample[] = [
  ...[1, 0, -1, 2 ** 31 - 1].map((number) => sample('int', int32(number), String(number))),
  ...[1n, 0n, -1n, 2n ** 31n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)].map((number) =>
    sample('long', int64(number), String(number)),
  ),
  ...doubles.map((number) => sample('double', double(number), textOfDouble(number))),
  ...[...decimals, '1E+6144', '1E-6176'].map((text) =>
    sample('decimal', bsonOf(Decimal128.fromString(text)), text),
  ),
];

function textOfDouble(number: number): string {
  if (Object.is(number, -0)) return '-0';
  return Number.isInteger(number) ? String(BigInt(number)) : String(number);
}

function sample(type: TypeName, value: Value, number: string): Sample {
  const label = powers[number] ?? number;
  return { type, label, value, number: label };
}

const others: ReadonlyArray<[type: TypeName, label: string, value: Value]> = [
  ['string', '"a"', bsonOf('a')],
  ['string', '""', bsonOf('')],
  ['string', '"$a"', bsonOf('$a')],
  ['object', '{}', bsonOf({})],
  ['object', '{a: 1}', bsonOf({ a: 1 })],
  ['object', '{a: {b: [{}]}}', bsonOf({ a: { b: [{}] } })],
  ['array', '[]', bsonOf([])],
  ['array', '[1]', bsonOf([1])],
  ['array', '["a"]', bsonOf(['a'])],
  ['array', '[{}]', bsonOf([{}])],
  ['array', '[[[]]]', bsonOf([[[]]])],
  ['binData', 'subtype 0', new Value(bsonTypes.binData, Uint8Array.of(1, 0, 0, 0, 0, 1), 0, 6)],
  ['binData', 'UUID', UUID],
  ['undefined', '', new Value(bsonTypes.undefined, new Uint8Array(0), 0, 0)],
  ['objectId', '', new Value(bsonTypes.objectId, Uint8Array.from(ID), 0, 12)],
  ['bool', 'true', bsonOf(true)],
  ['bool', 'false', bsonOf(false)],
  ['date', '', bsonOf(new Date(1_700_000_000_000))],
  ['null', '', nullValue],
  ['regex', '', bsonOf(/a/)],
  ['dbPointer', '', textual('dbPointer', 'a', ID)],
  ['javascript', '', textual('javascript', 'a')],
  ['symbol', '', textual('symbol', 'a')],
  ['javascriptWithScope', '', codeWithScope('a')],
  ['timestamp', '', new Value(bsonTypes.timestamp, Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0), 0, 8)],
  ['minKey', '', minKey],
  ['maxKey', '', maxKey],
];

export const samples: readonly Sample[] = [
  ...numbers,
  ...others.map(([type, label, value]) => ({ type, label, value })),
];
