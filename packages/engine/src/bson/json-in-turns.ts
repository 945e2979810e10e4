import { bsonTypes } from './bson-types.ts';
import { quotedName, scopedCode } from './extended-json.ts';
import { documentOf, type RawDocument } from './raw.ts';
import type { Value } from './value.ts';

/**
 * Maximum size of a value that is converted without a pause, in bytes. The conversion takes a few
 * milliseconds.
 */
const PIECE_BYTES = 32 * 1024;

export interface JsonTurns {
  /** Converts one value. */
  readonly write: (value: Value) => string;
  /** Called after about every 32 KiB, so that other work of the thread can run. */
  readonly turn: () => Promise<void>;
}

/** Converts values to JSON in pieces. Stops when the JSON of all values together has more characters than a limit. */
export class JsonInTurns {
  readonly #turns: JsonTurns;
  #left: number;
  #untilTurn = PIECE_BYTES;

  constructor(characters: number, turns: JsonTurns) {
    this.#left = characters;
    this.#turns = turns;
  }

  /** Returns the JSON text, or undefined if the limit is exceeded. */
  async textOf(value: Value): Promise<string | undefined> {
    const size = value.end - value.start;
    if (size > PIECE_BYTES) return this.#inParts(value, size);
    const text = this.#turns.write(value);
    this.#untilTurn -= size;
    if (this.#untilTurn < 0) await this.#turn();
    return this.#counted(text);
  }

  async #inParts(value: Value, size: number): Promise<string | undefined> {
    if (value.type === bsonTypes.object) return this.#document(documentOf(value));
    if (value.type === bsonTypes.array) return this.#entries(documentOf(value));
    if (value.type === bsonTypes.javascriptWithScope) {
      const { code, scope } = scopedCode(value);
      const text = await this.#document(scope);
      return text && this.#counted(`{"$code":${JSON.stringify(code)},"$scope":${text}}`);
    }
    // Do not convert a value whose JSON text certainly exceeds the limit. The value takes at most 16 bytes more than its
    // JSON text in UTF-8, and a character of the text takes at most 3 bytes.
    const fewest = value.type === bsonTypes.binData ? size : size / 3;
    if (fewest > this.#left + 16) return undefined;
    await this.#turn();
    return this.#counted(this.#turns.write(value));
  }

  async #document(document: RawDocument): Promise<string | undefined> {
    let fields = '';
    for (const element of document) {
      const text = this.#small(element) ?? (await this.textOf(element));
      if (text === undefined) return undefined;
      const name = quotedName(element.name);
      this.#left -= name.length;
      fields += `${fields === '' ? '' : ','}${name}:${text}`;
      if (this.#untilTurn < 0) await this.#turn();
    }
    return `{${fields}}`;
  }

  async #entries(array: RawDocument): Promise<string | undefined> {
    let entries = '';
    for (const entry of array) {
      const text = this.#small(entry) ?? (await this.textOf(entry));
      if (text === undefined) return undefined;
      entries += `${entries === '' ? '' : ','}${text}`;
      if (this.#untilTurn < 0) await this.#turn();
    }
    return `[${entries}]`;
  }

  /** Converts a small value without a promise, because a document may contain a million of them. */
  #small(element: Value & { readonly nameStart: number }): string | undefined {
    const size = element.end - element.nameStart;
    if (size > PIECE_BYTES) return undefined;
    this.#untilTurn -= size;
    return this.#counted(this.#turns.write(element));
  }

  #counted(text: string): string | undefined {
    this.#left -= text.length;
    return this.#left < 0 ? undefined : text;
  }

  async #turn(): Promise<void> {
    this.#untilTurn = PIECE_BYTES;
    await this.#turns.turn();
  }
}
