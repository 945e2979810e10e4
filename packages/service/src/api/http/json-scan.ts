import { violation } from '../faults.ts';
import type { Limits } from './limits.ts';

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_LIST = 91;
const BACKSLASH = 92;
const CLOSE_LIST = 93;
const OPEN_OBJECT = 123;
const CLOSE_OBJECT = 125;

/**
 * Scans the bytes of a JSON document as they arrive, and limits the depth of the document and the number of its
 * values. Five megabytes can contain 1,700,000 objects, which take one second and 200 MB to parse. `parseJson` checks
 * the syntax later.
 */
export class JsonScan {
  readonly #limits: Pick<Limits, 'bodyDepth' | 'bodyValues'>;
  #values = 1;
  #names = 0;
  #depth = 0;
  #inText = false;
  #escaped = false;

  constructor(limits: Pick<Limits, 'bodyDepth' | 'bodyValues'>) {
    this.#limits = limits;
  }

  /** Returns the number of field names, duplicates included. */
  get names(): number {
    return this.#names;
  }

  /** Throws `VALIDATION_ERROR` if the document is nested too deeply or contains too many values. */
  add(bytes: Uint8Array): void {
    const { bodyDepth, bodyValues } = this.#limits;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (this.#inText) {
        at = this.#textFrom(bytes, at);
        continue;
      }
      switch (byte) {
        case QUOTE:
          this.#inText = true;
          break;
        case OPEN_LIST:
        case OPEN_OBJECT:
          this.#values++;
          if (++this.#depth > bodyDepth)
            throw violation('', `The document is nested deeper than ${bodyDepth} levels.`);
          break;
        case CLOSE_LIST:
        case CLOSE_OBJECT:
          this.#depth--;
          break;
        case COMMA:
          this.#values++;
          break;
        case COLON:
          this.#names++;
          break;
      }
    }
    if (this.#values > bodyValues)
      throw violation('', `The document contains more than ${bodyValues} values.`);
  }

  /** Returns the index of the closing quote, or of the end of these bytes. */
  #textFrom(bytes: Uint8Array, start: number): number {
    let escaped = this.#escaped;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) {
        this.#inText = false;
        break;
      }
    }
    this.#escaped = escaped;
    return at;
  }
}
