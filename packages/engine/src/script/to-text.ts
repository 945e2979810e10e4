import { Decimal128 } from 'bson';
import { bsonTypes } from '../bson/bson-types.ts';
import { readText } from '../bson/bytes.ts';
import { documentOf } from '../bson/raw.ts';
import { boolOf, doubleOf, int32Of, int64Of, textOf, type Value } from '../bson/value.ts';

/** The name of the field that marks an object as a tagged value; see `prelude.ts`. */
export const TAG = '\u0001';

/**
 * Maximum number of values, or of characters, in one text. A limit is needed, because the interpreter cannot be
 * interrupted while it parses a text. The prelude contains the same numbers.
 */
export const PIECE_VALUES = 2_000;
export const PIECE_CHARACTERS = 65_536;

/** Maximum number of fields of a document that is written as an object. Larger documents are written as a list. */
const FEW_FIELDS = 500;

/** Encodes values as text for scripts. */
export class ScriptText {
  /** True if the text contains tagged objects. */
  tagged = false;
  /** Parts of long values, to which tagged objects refer by number. */
  readonly pieces: string[] = [];
  #values = 0;

  of(value: Value | undefined): string {
    if (value === undefined) return 'null';
    this.#values++;
    const write = writers[value.type];
    return write === undefined ? 'null' : write(value, this);
  }

  tag(type: string, content: unknown): string {
    this.tagged = true;
    return JSON.stringify({ [TAG]: type, v: content });
  }

  /** Encodes a list. The entries of a long list are written in pieces. */
  list<T>(entries: Iterable<T>, write: (entry: T) => string): string {
    const numbers: number[] = [];
    let part: string[] = [];
    let from = this.#values;
    const close = () => {
      numbers.push(this.pieces.push(`[${part.join()}]`) - 1);
      part = [];
      from = this.#values;
    };
    for (const entry of entries) {
      part.push(write(entry));
      if (this.#values - from > PIECE_VALUES) close();
    }
    if (numbers.length === 0) return `[${part.join()}]`;
    close();
    return this.tag('L', numbers);
  }

  text(text: string): string {
    if (text.length <= PIECE_CHARACTERS) return JSON.stringify(text);
    const numbers: number[] = [];
    for (let at = 0; at < text.length; at += PIECE_CHARACTERS)
      numbers.push(this.pieces.push(text.slice(at, at + PIECE_CHARACTERS)) - 1);
    return this.tag('T', numbers);
  }
}

type Write = (value: Value, text: ScriptText) => string;

const span = ({ bytes, start, end }: Value, from = 0) =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start + from, end - start - from);

const writers: Readonly<Record<number, Write | undefined>> = {
  [bsonTypes.double]: (value, text) => {
    const number = doubleOf(value);
    return Number.isFinite(number) && !Object.is(number, -0) ? String(number) : text.tag('n', nameOf(number));
  },
  [bsonTypes.int]: (value) => String(int32Of(value)),
  [bsonTypes.string]: (value, text) => text.text(textOf(value)),
  [bsonTypes.symbol]: (value, text) => text.text(textOf(value)),
  [bsonTypes.bool]: (value) => String(boolOf(value)),
  [bsonTypes.object]: writeObject,
  [bsonTypes.array]: (value, text) => text.list(documentOf(value), (entry) => text.of(entry)),
  [bsonTypes.long]: (value, text) => text.tag('l', String(int64Of(value))),
  [bsonTypes.decimal]: (value, text) => text.tag('D', new Decimal128(span(value)).toString()),
  [bsonTypes.date]: (value, text) => text.tag('d', Number(int64Of(value))),
  [bsonTypes.objectId]: (value, text) => text.tag('o', span(value).toString('hex')),
  [bsonTypes.binData]: (value, text) =>
    text.tag('b', [value.bytes[value.start + 4], span(value, 5).toString('base64')]),
  [bsonTypes.regex]: (value, text) => text.tag('r', span(value).toString().split('\0').slice(0, 2)),
  [bsonTypes.timestamp]: (value, text) => {
    const bytes = span(value);
    return text.tag('t', [bytes.readUInt32LE(4), bytes.readUInt32LE(0)]);
  },
  [bsonTypes.minKey]: (_value, text) => text.tag('m', null),
  [bsonTypes.maxKey]: (_value, text) => text.tag('M', null),
  [bsonTypes.undefined]: (_value, text) => text.tag('u', null),
  [bsonTypes.javascript]: (value, text) => text.tag('c', textOf(value)),
  [bsonTypes.javascriptWithScope]: (value, text) => {
    const length = span(value).readInt32LE(4);
    return text.tag('c', readText(value.bytes, value.start + 8, value.start + 7 + length));
  },
  [bsonTypes.dbPointer]: (value, text) => {
    const bytes = span(value);
    const length = bytes.readInt32LE(0);
    return text.tag('p', [bytes.toString('utf8', 4, 3 + length), bytes.toString('hex', 4 + length)]);
  },
};

function nameOf(number: number): string {
  return Object.is(number, -0) ? '-0' : String(number);
}

function writeObject(value: Value, text: ScriptText): string {
  const fields = documentOf(value);
  let few = true;
  let count = 0;
  for (const { name } of fields) if (name === TAG || ++count > FEW_FIELDS) few = false;
  if (few) return `{${[...fields].map((field) => `${JSON.stringify(field.name)}:${text.of(field)}`).join()}}`;
  text.tagged = true;
  const list = text.list(fields, (field) => `[${JSON.stringify(field.name)},${text.of(field)}]`);
  return `{${JSON.stringify(TAG)}:"x","v":${list}}`;
}
