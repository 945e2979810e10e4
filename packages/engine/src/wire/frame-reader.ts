import { freeMemory } from '@portolan/foundation/free-memory';
import { HEADER_BYTES } from '../message/codec.ts';
import { MalformedMessage } from '../message/sections.ts';

const LENGTH_BYTES = 4;
/** Up to this number of chunks are not merged. Most messages arrive in a few chunks. */
const FEW_CHUNKS = 16;
/** Chunks of at least this size are not merged. */
const LARGE_BYTES = 65_536;

/** Splits the byte stream of a socket into messages. */
export class FrameReader {
  /** Maximum size of a message, in bytes. The connection increases it when the client has logged in. */
  limit: number;
  #chunks: Buffer[] = [];
  #buffered = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** Number of received bytes that `next` has not returned yet. */
  get buffered(): number {
    return this.#buffered;
  }

  /** Number of pieces in which the received bytes are kept. */
  get pieces(): number {
    return this.#chunks.length;
  }

  push(chunk: Buffer): void {
    this.#buffered += chunk.length;
    this.#chunks.push(this.#chunks.length < FEW_CHUNKS ? chunk : this.#merged(chunk));
  }

  /** Discards all bytes. Frees their memory at once rather than at the next garbage collection. */
  clear(): void {
    for (const chunk of this.#chunks) freeMemory(chunk);
    this.#chunks = [];
    this.#buffered = 0;
  }

  /**
   * Returns the chunk, merged with previous chunks. Merges repeatedly, while the previous chunk is not larger than the
   * merged one. Without merging, a client that sends a message byte by byte would use much memory, because the object
   * of each chunk takes 200 bytes. A previous chunk at least doubles its size when it is merged, so each byte is copied
   * only a few times.
   */
  #merged(chunk: Buffer): Buffer {
    let size = chunk.length;
    let first = this.#chunks.length;
    for (; first > 0 && size < LARGE_BYTES; first--) {
      const { length } = this.#chunks[first - 1] as Buffer;
      if (length > size) break;
      size += length;
    }
    if (first === this.#chunks.length) return chunk;
    return Buffer.concat([...this.#chunks.splice(first), chunk], size);
  }

  /**
   * Returns the next message. Returns undefined until the message is complete. Throws `MalformedMessage` for an invalid
   * length.
   */
  next(): Buffer | undefined {
    if (this.#buffered < LENGTH_BYTES) return undefined;
    const length = this.#length();
    if (length < HEADER_BYTES || length > this.limit) {
      throw new MalformedMessage(
        `a message of ${length} bytes: ${HEADER_BYTES} to ${this.limit} are allowed`,
      );
    }
    return this.#buffered < length ? undefined : this.#take(length);
  }

  #length(): number {
    const first = this.#chunks[0] as Buffer;
    if (first.length >= LENGTH_BYTES) return first.readInt32LE(0);
    this.#chunks = [Buffer.concat(this.#chunks)];
    return (this.#chunks[0] as Buffer).readInt32LE(0);
  }

  #take(length: number): Buffer {
    this.#buffered -= length;
    const first = this.#chunks[0] as Buffer;
    if (first.length > length) {
      this.#chunks[0] = first.subarray(length);
      return first.subarray(0, length);
    }
    if (first.length === length) {
      this.#chunks.shift();
      return first;
    }
    return this.#join(length);
  }

  /**
   * Copies a message to a buffer of its own, which can be transferred to another thread. The shared pool of Node.js is
   * not used for this buffer.
   */
  #join(length: number): Buffer {
    const message = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    let used = 0;
    for (const chunk of this.#chunks) {
      const part = chunk.subarray(0, length - filled);
      message.set(part, filled);
      filled += part.length;
      if (part.length < chunk.length) this.#chunks[used] = chunk.subarray(part.length);
      else used++;
      if (filled === length) break;
    }
    this.#chunks.splice(0, used);
    return message;
  }
}
