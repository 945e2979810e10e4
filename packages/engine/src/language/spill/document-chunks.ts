import { RawDocument } from '../../bson/raw.ts';
import { steps } from '../../bson/turns.ts';

const CHUNK_BYTES = 64 << 10;
/** Larger documents are not copied into a chunk. */
const LARGE_BYTES = 4 << 10;

/**
 * Keeps many documents in few buffers. A separate buffer for each document would take 250 bytes more, and the allocator
 * keeps small buffers when they are freed. A chunk stays in memory as long as any of its documents is used.
 */
export class DocumentChunks {
  #chunk = new Uint8Array(0);
  #used = 0;

  /** Returns a copy of the document that does not keep the buffer of the original in memory. */
  keep(document: RawDocument): RawDocument {
    const { bytes, offset, length } = document;
    if (length > LARGE_BYTES) return document.compact();
    if (this.#used + length > this.#chunk.length) {
      this.#chunk = new Uint8Array(CHUNK_BYTES);
      this.#used = 0;
    }
    const at = this.#used;
    this.#chunk.set(bytes.subarray(offset, offset + length), at);
    this.#used += length;
    steps(1);
    return new RawDocument(this.#chunk, at, length);
  }
}
