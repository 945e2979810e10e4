import { ServerError } from '../errors/server-error.ts';
import { copied } from './turns.ts';

/** Buffers of finished writers, kept for reuse, because most writers write one document of a few KB. */
const idle: Uint8Array[] = [];
const MAX_IDLE = 8;
const LARGEST_IDLE = 1 << 16;
/**
 * The largest buffer of a finished writer. A large reply would otherwise allocate twice its size while its buffer grows,
 * and most of the time would be spent on new pages of memory. The reference is weak, so an idle thread does not keep the
 * buffer: the next garbage collection frees it.
 */
let largest: WeakRef<Uint8Array> | undefined;
/** A reply has at most 16 MiB, apart from a few fields. Doubling its buffer ends at 32 MiB. */
const LARGEST_KEPT = 1 << 25;
/** A copy of this size takes about 0.5 ms, because each page of the new buffer has to be mapped. */
const PIECE_BYTES = 1 << 20;
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

/** A growing buffer to which bytes are appended. */
export class ByteWriter {
  length = 0;
  #bytes: Uint8Array;

  constructor() {
    this.#bytes = idle.pop() ?? new Uint8Array(4096);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = value;
  }

  span(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const size = end - start;
    this.#reserve(size);
    if (size <= 24) {
      // For up to two dozen bytes, a loop is faster than `set` with a subarray.
      const target = this.#bytes;
      let to = this.length;
      for (let from = start; from < end; from++) target[to++] = bytes[from] as number;
    } else {
      this.#bytes.set(bytes.subarray(start, end), this.length);
    }
    this.length += size;
    // Copy the bytes before the call of `copied`, which may let other database statements run. These statements may
    // overwrite `bytes` if it is a shared buffer.
    copied(size);
  }

  int32(value: number): void {
    this.#reserve(4);
    this.length += 4;
    this.patchInt32(this.length - 4, value);
  }

  int64(value: bigint): void {
    scratch.setBigInt64(0, value, true);
    this.span(scratchBytes);
  }

  /** Writes a BSON string: its length, its UTF-8 bytes and a NUL. */
  text(text: string): void {
    const start = this.length;
    // A UTF-16 code unit takes at most three bytes in UTF-8.
    this.#reserve(text.length * 3 + 5);
    const bytes = this.#bytes;
    let to = start + 4;
    if (text.length > SHORT || !isAscii(text)) to += encoder.encodeInto(text, bytes.subarray(to)).written;
    else for (let i = 0; i < text.length; i++) bytes[to++] = text.charCodeAt(i);
    bytes[to++] = 0;
    this.length = to;
    this.patchInt32(start, to - start - 4);
    copied(text.length);
  }

  /** Overwrites the four bytes at `at`, little-endian. */
  patchInt32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value;
    bytes[at + 1] = value >> 8;
    bytes[at + 2] = value >> 16;
    bytes[at + 3] = value >> 24;
  }

  /** Inverts all bits from `start` on. */
  invert(start: number): void {
    for (let i = start; i < this.length; i++) this.#bytes[i] = ~(this.#bytes[i] as number);
  }

  /** Returns a copy of the written bytes. The writer must not be used afterwards. */
  finish(): Uint8Array {
    const bytes = this.#bytes;
    const written = this.length <= PIECE_BYTES ? bytes.slice(0, this.length) : copyOf(bytes, this.length);
    if (bytes.length > LARGEST_IDLE) keepLarge(bytes);
    else if (idle.length < MAX_IDLE) idle.push(bytes);
    this.#bytes = none;
    this.length = 0;
    return written;
  }

  #reserve(size: number): void {
    const needed = this.length + size;
    if (needed <= this.#bytes.length) return;
    if (needed > MAX_BYTES) {
      throw new ServerError(
        'BSONObjectTooLarge',
        `a document of ${needed} bytes exceeds the limit of ${MAX_BYTES} bytes for documents in memory`,
      );
    }
    const doubled = Math.min(this.#bytes.length * 2, MAX_BYTES);
    const larger = takeLarge(needed) ?? new Uint8Array(Math.max(needed, doubled));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}

/** Copies the beginning of a large buffer in pieces. Other statements may run between the pieces. */
function copyOf(bytes: Uint8Array, length: number): Uint8Array {
  const copy = new Uint8Array(length);
  for (let start = 0; start < length; start += PIECE_BYTES) {
    const end = Math.min(start + PIECE_BYTES, length);
    copy.set(bytes.subarray(start, end), start);
    copied(end - start);
  }
  return copy;
}

function keepLarge(bytes: Uint8Array): void {
  if (bytes.length <= LARGEST_KEPT && bytes.length > (largest?.deref()?.length ?? 0))
    largest = new WeakRef(bytes);
}

/** Takes the kept buffer if `needed` bytes fit into it, and are too many for a small one. */
function takeLarge(needed: number): Uint8Array | undefined {
  if (needed <= LARGEST_IDLE) return undefined;
  const bytes = largest?.deref();
  if (bytes === undefined || bytes.length < needed) return undefined;
  largest = undefined;
  return bytes;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
