import { ServerError } from '../errors/server-error.ts';
import { giveBack, LARGEST_FIRST, takeChunk, takeFirst } from './byte-chunks.ts';
import { copyTo, PIECE_BYTES } from './bytes.ts';
import { copied, passes } from './turns.ts';

const none = new Uint8Array(0);
const encoder = new TextEncoder();
/**
 * Maximum size of a document or key, in bytes. Aggregation stages may hold 100 MiB, which `$facet` writes as one
 * document. Without a limit, an update that adds a text to each of a million array entries would write terabytes.
 */
const MAX_BYTES = 134_217_728;
/** Up to this number of characters, a loop is faster than calling the encoder. */
const SHORT = 64;
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

/** Bytes of a writer that are complete, apart from the lengths in them. They begin at `start`. */
interface Chunk {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly length: number;
}

/**
 * Appends bytes to a list of chunks. A single buffer would have to be copied whenever it grows, and other statements
 * could not run meanwhile.
 */
export class ByteWriter {
  /** The last chunk, and where it begins. */
  #bytes: Uint8Array = takeFirst();
  #start = 0;
  /** Number of bytes in the last chunk. */
  #used = 0;
  /** The chunks before the last one. */
  #full: Chunk[] | undefined;

  get length(): number {
    return this.#start + this.#used;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#used++] = value;
  }

  span(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const size = end - start;
    if (size > PIECE_BYTES) {
      this.#pieces(bytes, start, end);
      return;
    }
    this.#reserve(size);
    if (size <= 24) {
      // For up to two dozen bytes, a loop is faster than `set` with a subarray.
      const target = this.#bytes;
      let to = this.#used;
      for (let from = start; from < end; from++) target[to++] = bytes[from] as number;
    } else {
      this.#bytes.set(bytes.subarray(start, end), this.#used);
    }
    this.#used += size;
    // Copy the bytes before the call of `copied`, which may let other database statements run. These statements may
    // overwrite `bytes` if it is a shared buffer.
    copied(size);
  }

  /** Appends many bytes in pieces. Other statements may run between the pieces: no shared buffer is so large. */
  #pieces(bytes: Uint8Array, start: number, end: number): void {
    this.#require(end - start);
    for (let from = start; from < end; from += PIECE_BYTES)
      this.span(bytes, from, Math.min(from + PIECE_BYTES, end));
  }

  int32(value: number): void {
    this.#reserve(4);
    writeInt32(this.#bytes, this.#used, value);
    this.#used += 4;
  }

  int64(value: bigint): void {
    scratch.setBigInt64(0, value, true);
    this.span(scratchBytes);
  }

  /** Writes a BSON string: its length, its UTF-8 bytes and a NUL. */
  text(text: string): void {
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(text.length * 3 + 5);
    const start = this.#used;
    const bytes = this.#bytes;
    let to = start + 4;
    if (text.length > SHORT || !isAscii(text)) to += encoder.encodeInto(text, bytes.subarray(to)).written;
    else for (let i = 0; i < text.length; i++) bytes[to++] = text.charCodeAt(i);
    bytes[to++] = 0;
    this.#used = to;
    writeInt32(bytes, start, to - start - 4);
    copied(text.length);
  }

  /** Overwrites the four bytes that `int32` has written at `at`, little-endian. */
  patchInt32(at: number, value: number): void {
    if (at >= this.#start) {
      writeInt32(this.#bytes, at - this.#start, value);
      return;
    }
    const chunk = this.#full?.findLast(({ start }) => start <= at) as Chunk;
    writeInt32(chunk.bytes, at - chunk.start, value);
  }

  /** Inverts all bits from `start` on. */
  invert(start: number): void {
    for (const chunk of this.#full ?? [])
      if (chunk.start + chunk.length > start)
        invertBits(chunk.bytes, Math.max(start - chunk.start, 0), chunk.length);
    invertBits(this.#bytes, Math.max(start - this.#start, 0), this.#used);
  }

  /** Returns a copy of the written bytes. The writer must not be used afterwards. */
  finish(): Uint8Array {
    const { length } = this;
    const last = this.#bytes;
    const full = this.#full;
    let written: Uint8Array;
    if (full === undefined && length <= PIECE_BYTES) written = last.slice(0, length);
    else {
      written = new Uint8Array(length);
      for (const { bytes, start, length } of full ?? []) copyTo(written, start, bytes, 0, length);
      copyTo(written, this.#start, last, 0, this.#used);
      for (const { bytes } of full ?? []) giveBack(bytes);
    }
    giveBack(last);
    this.#bytes = none;
    this.#full = undefined;
    this.#start = 0;
    this.#used = 0;
    return written;
  }

  #reserve(size: number): void {
    if (this.#used + size > this.#bytes.length) this.#grow(size);
  }

  #grow(size: number): void {
    this.#require(size);
    const bytes = this.#bytes;
    const used = this.#used;
    if (this.#full === undefined && used + size <= LARGEST_FIRST) {
      this.#bytes = new Uint8Array(Math.max(used + size, Math.min(bytes.length * 2, LARGEST_FIRST)));
      this.#bytes.set(bytes.subarray(0, used));
      return;
    }
    this.#full ??= [];
    this.#full.push({ bytes, start: this.#start, length: used });
    this.#start += used;
    this.#used = 0;
    this.#bytes = takeChunk(size, this.#start);
  }

  #require(size: number): void {
    const needed = this.length + size;
    if (needed <= MAX_BYTES) return;
    throw new ServerError(
      'BSONObjectTooLarge',
      `a document of ${needed} bytes exceeds the limit of ${MAX_BYTES} bytes for documents in memory`,
    );
  }
}

function writeInt32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value;
  bytes[at + 1] = value >> 8;
  bytes[at + 2] = value >> 16;
  bytes[at + 3] = value >> 24;
}

function invertBits(bytes: Uint8Array, start: number, end: number): void {
  for (let i = start; i < end; i++) bytes[i] = ~(bytes[i] as number);
  passes(end - start);
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
