import { Binary, BSONRegExp, Code, DBRef, Decimal128, MaxKey, MinKey, ObjectId } from 'bson';
import { bsonTypes } from '../bson/bson-types.ts';
import { writeDocument } from '../bson/document-writer.ts';
import { RawDocument } from '../bson/raw.ts';
import { MAX_DOCUMENT_SIZE, tooLarge } from '../bson/validate.ts';
import { bool, date, double, int32, int64, nullValue, string, timestamp, Value } from '../bson/value.ts';
import { ServerError } from '../errors/server-error.ts';
import type { Answered } from './sandbox.ts';
import { PIECE_CHARACTERS, TAG } from './to-text.ts';

/** Decodes the result of a script from its text form; see `prelude.ts`. Numbers become doubles. */
export function valueOfText({ answer, pieces }: Answered): Value {
  return new Reader(pieces).value(JSON.parse(String(answer)));
}

/** Decodes the keys and values that a script has emitted. */
export function valuesOfPairs({ answer, pieces }: Answered): Array<[key: Value, value: Value]> {
  const reader = new Reader(pieces);
  const made: Array<[key: Value, value: Value]> = [];
  for (const [key, value] of reader.entries(JSON.parse(String(answer))) as Iterable<[unknown, unknown]>)
    made.push([reader.value(key), reader.value(value)]);
  return made;
}

interface Tagged {
  readonly [TAG]: string;
  readonly v?: unknown;
}

class Reader {
  readonly #pieces: readonly string[];

  constructor(pieces: readonly string[]) {
    this.#pieces = pieces;
  }

  value(parsed: unknown): Value {
    switch (typeof parsed) {
      case 'number':
        return double(parsed);
      case 'string':
        return string(parsed);
      case 'boolean':
        return bool(parsed);
      default:
        if (parsed === null) return nullValue;
        return Array.isArray(parsed) ? this.#array(parsed) : this.#tagged(parsed as Tagged);
    }
  }

  /** Yields the entries of a list, which may be in pieces. */
  *entries(list: unknown): Iterable<unknown> {
    if (Array.isArray(list)) yield* list;
    else for (const number of (list as Tagged).v as number[]) yield* JSON.parse(this.#piece(number));
  }

  #piece(number: number): string {
    return this.#pieces[number] ?? 'null';
  }

  #array(list: unknown): Value {
    const made = writeDocument((writer) => {
      let i = 0;
      for (const entry of this.entries(list)) writer.entry(i++, this.value(entry));
    });
    return made.toValue(bsonTypes.array);
  }

  #tagged(tagged: Tagged): Value {
    const { [TAG]: type, v } = tagged;
    if (type === 'L') return this.#array(tagged);
    if (type === 'T') return string(this.#text(v as number[]));
    if (type === 'x') return this.#object(v);
    const make = makers[type];
    if (make === undefined) throw failed('the script answered a value that cannot be kept');
    return make(v);
  }

  #text(numbers: readonly number[]): string {
    const size = numbers.length * PIECE_CHARACTERS;
    if (size > MAX_DOCUMENT_SIZE + PIECE_CHARACTERS) throw tooLarge(size);
    return numbers.map((number) => this.#piece(number)).join('');
  }

  #object(fields: unknown): Value {
    return writeDocument((writer) => {
      for (const [name, value] of this.entries(fields) as Iterable<[string, unknown]>) {
        if (name.includes('\0')) throw failed('the name of a field holds a null byte');
        writer.field(name, this.value(value));
      }
    }).toValue();
  }
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
