import { Readable } from 'node:stream';

/**
 * A long text in encoded pieces. A single string of 12 MB would take 12 ms to encode, and longer to encrypt, without a
 * pause for other requests.
 */
export class TextPieces {
  /** The number of bytes. */
  readonly length: number;
  readonly #pieces: readonly Buffer[];

  constructor(pieces: readonly Buffer[]) {
    this.#pieces = pieces;
    this.length = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  /** Returns a stream that yields the next piece when the reader has taken the previous one. */
  stream(): Readable {
    return Readable.from(this.#pieces, { highWaterMark: 1 });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces);
  }

  toString(): string {
    return this.bytes().toString();
  }
}
