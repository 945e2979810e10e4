import { Value } from './value.ts';

/** Sizes of the first buffer and of later ones, which double. */
const [FIRST_BYTES, MOST_BYTES] = [32, 64 * 1024];
/** Values above this size get a buffer of their own. */
const SMALL_BYTES = 4 * 1024;
/** Up to this size, copying byte by byte is faster. */
const SHORT_BYTES = 64;

/**
 * Copies values into common buffers, which stay in memory as long as one of the values. A buffer for each value would take
 * more memory, and the garbage collector would take several times as long to visit hundreds of thousands of buffers.
 */
export class PackedValues {
  #buffer = new Uint8Array(0);
  #used = 0;

  copyOf(value: Value): Value {
    const size = value.end - value.start;
    if (size > SMALL_BYTES) return value.detached();
    if (this.#used + size > this.#buffer.length) {
      const next = Math.min(Math.max(FIRST_BYTES, 2 * this.#buffer.length), MOST_BYTES);
      this.#buffer = new Uint8Array(Math.max(next, size));
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += size;
    const { bytes } = value;
    if (size > SHORT_BYTES) this.#buffer.set(bytes.subarray(value.start, value.end), start);
    else for (let i = 0; i < size; i++) this.#buffer[start + i] = bytes[value.start + i] as number;
    return new Value(value.type, this.#buffer, start, start + size);
  }
}
