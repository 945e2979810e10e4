import { statSync } from 'node:fs';

/** The length of a write-ahead log up to which a copy always continues. */
const MAX_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Limits the write-ahead log of a file while the file is copied. The copy reads one state of the file, so the log
 * cannot restart before the copy ends. A log that is longer than the file, and longer than `most` bytes, ends the copy.
 */
export class LogGrowth {
  readonly #file: string;
  readonly #most: number;

  constructor(file: string, most = MAX_BYTES) {
    this.#file = file;
    this.#most = most;
  }

  /** Throws an error if the log is too long. Must be called after each piece of the copy. */
  check(): void {
    const log = sizeOf(`${this.#file}-wal`);
    if (log > this.#most && log > sizeOf(this.#file))
      throw new Error(`${this.#file} is written faster than it can be copied`);
  }

  /** Passes on the pieces of a file, and checks the log after each of them. */
  async *during(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      yield piece;
      this.check();
    }
  }
}

/** Returns the size of a file in bytes, and 0 if it does not exist. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
