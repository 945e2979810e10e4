import { Binary, BSONRegExp, Code, DBRef, Decimal128, MaxKey, MinKey, ObjectId } from 'bson';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { RawDocument } from '../bson/raw.ts';
import { bool, date, double, int32, int64, nullValue, string, timestamp, Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import { arrayOf } from '../language/expression/field-path.ts';
import { TAG } from './to-text.ts';

/** Decodes the result of a script from its text form; see `prelude.ts`. Numbers become doubles. */
export function valueOfText(text: string): Value {
  return valueOfParsed(JSON.parse(text));
}

export function valueOfParsed(parsed: unknown): Value {
  switch (typeof parsed) {
    case 'number':
      return double(parsed);
    case 'string':
      return string(parsed);
    case 'boolean':
      return bool(parsed);
    default:
      if (parsed === null) return nullValue;
      if (Array.isArray(parsed)) return arrayOf(parsed.map(valueOfParsed));
      return tagged(parsed as { readonly [TAG]: string; readonly v?: unknown });
  }
}

function tagged({ [TAG]: type, v }: { readonly [TAG]: string; readonly v?: unknown }): Value {
  const make = makers[type];
  if (make === undefined) throw failed('the script answered a value that cannot be kept');
  return make(v);
}

function failed(message: string): ServerError {
  return new ServerError('JSInterpreterFailure', message);
}

const textOf = (v: unknown) => String(v);

const makers: Readonly<Record<string, ((v: unknown) => Value) | undefined>> = {
  n: (v) => double(Number(v)),
  i: (v) => int32(Number(v)),
  l: (v) => int64(BigInt(textOf(v))),
  D: (v) => byLibrary(() => Decimal128.fromString(textOf(v))),
  d: (v) => (v === null ? double(Number.NaN) : date(BigInt(Math.trunc(Number(v))))),
  o: (v) => byLibrary(() => new ObjectId(textOf(v))),
  b: (v) => binary(v),
  r: (v) => regex(v),
  t: (v) => {
    const [t, i] = v as readonly [number, number];
    return timestamp(t, i);
  },
  m: () => byLibrary(() => new MinKey()),
  M: () => byLibrary(() => new MaxKey()),
  u: () => new Value(bsonTypes.undefined, new Uint8Array(0), 0, 0),
  c: (v) => byLibrary(() => new Code(textOf(v))),
  p: (v) => {
    const [ns, id] = v as readonly [string, string];
    return byLibrary(() => new DBRef(ns, new ObjectId(id)));
  },
  x: (v) => object(v as ReadonlyArray<readonly [string, unknown]>),
};

function byLibrary(make: () => unknown): Value {
  try {
    return RawDocument.from({ v: make() }).get('v') ?? nullValue;
  } catch (error) {
    throw failed(error instanceof Error ? error.message : 'the script answered a value that cannot be kept');
  }
}

function binary(v: unknown): Value {
  const [type, data] = v as readonly [number, string];
  return byLibrary(() => new Binary(Buffer.from(data, 'base64'), type));
}

/** Decodes a pattern. Keeps only the flags that BSON patterns support. */
function regex(v: unknown): Value {
  const [pattern, flags] = v as readonly [string, string];
  return byLibrary(() => new BSONRegExp(pattern, flags.replace(/[^imsux]/g, '')));
}

function object(fields: ReadonlyArray<readonly [string, unknown]>): Value {
  return writeDocument((writer) => {
    for (const [name, value] of fields) {
      if (name.includes('\0')) throw failed('the name of a field holds a null byte');
      writer.field(name, valueOfParsed(value));
    }
  }).toValue();
}
