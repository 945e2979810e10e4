import { passes } from '../bson/turns.ts';
import type { Statement } from '../statement/statement.ts';

/** The bytes of a text, or its UTF-16 code units. */
interface Units {
  readonly length: number;
  /** Searches with a native function. */
  indexOf(token: Units, from: number): number;
  at(index: number): number;
}

/**
 * Up to this product of the two lengths, the native search takes at most 20 ms. In the worst case, its time grows with
 * the product.
 */
const MAX_PRODUCT = 16_777_216;
/** Number of units after which other statements can run. */
const PIECE = 4_096;
/** Memory per unit of the token, in bytes. */
const TABLE_BYTES = 4;

/**
 * Returns a function that takes an index and returns the index of the first token at or after it, or -1. Its time grows
 * with the sum of the two lengths, even for a text such as `aaaaaaaa` and a token such as `aabaa`.
 */
export function finder(text: Units, token: Units, statement: Statement): (from: number) => number {
  if (text.length * token.length <= MAX_PRODUCT) return (from) => text.indexOf(token, from);
  if (token.length > text.length) return () => -1;
  statement.hold(token.length * TABLE_BYTES, 'a search for a text');
  const borders = bordersOf(token);
  return (from) => find(text, token, borders, from);
}

/** Returns the length of the longest proper border of each prefix of the token (Knuth, Morris and Pratt). */
function bordersOf(token: Units): Int32Array {
  const borders = new Int32Array(token.length);
  for (let i = 1, border = 0; i < token.length; i++) {
    if (i % PIECE === 0) passes(PIECE);
    while (border > 0 && token.at(i) !== token.at(border)) border = borders[border - 1] as number;
    if (token.at(i) === token.at(border)) border++;
    borders[i] = border;
  }
  return borders;
}

function find(text: Units, token: Units, borders: Int32Array, from: number): number {
  for (let i = from, matched = 0; i < text.length; i++) {
    if (i % PIECE === 0) passes(PIECE);
    while (matched > 0 && text.at(i) !== token.at(matched)) matched = borders[matched - 1] as number;
    if (text.at(i) === token.at(matched)) matched++;
    if (matched === token.length) return i - matched + 1;
  }
  return -1;
}

/** The UTF-16 code units of a text. */
export class TextUnits implements Units {
  readonly #text: string;
  readonly length: number;

  constructor(text: string) {
    this.#text = text;
    this.length = text.length;
  }

  indexOf(token: TextUnits, from: number): number {
    return this.#text.indexOf(token.#text, from);
  }

  at(index: number): number {
    return this.#text.charCodeAt(index);
  }
}

export class ByteUnits implements Units {
  readonly #bytes: Buffer;
  readonly length: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.length = bytes.length;
  }

  indexOf(token: ByteUnits, from: number): number {
    return this.#bytes.indexOf(token.#bytes, from);
  }

  at(index: number): number {
    return this.#bytes[index] as number;
  }
}
