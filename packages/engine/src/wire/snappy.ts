import { MalformedMessage } from '../message/sections.ts';

/**
 * Decompresses Snappy's raw format. `snappyjs` is not safe for untrusted input. A literal with a negative length makes
 * it loop forever, and it does not detect that the output is too short.
 */
export function readSnappy(bytes: Uint8Array, size: number): Buffer {
  const input = new SnappyInput(bytes);
  if (input.varint() !== size) throw malformed();
  const output = Buffer.allocUnsafe(size);
  let filled = 0;
  while (!input.ended) {
    const tag = input.little(1);
    const kind = tag & 3;
    const length = kind === 0 ? input.literalLength(tag >>> 2) : copyLength(kind, tag);
    if (filled + length > size) throw malformed();
    if (kind === 0) output.set(input.take(length), filled);
    else copyBack(output, filled, offsetOf(kind, tag, input), length);
    filled += length;
  }
  if (filled !== size) throw malformed();
  return output;
}

class SnappyInput {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at === this.#bytes.length;
  }

  take(count: number): Uint8Array {
    const start = this.#at;
    this.#at += count;
    if (this.#at > this.#bytes.length) throw malformed();
    return this.#bytes.subarray(start, this.#at);
  }

  /** Reads an unsigned little-endian number of 1 to 4 bytes. */
  little(count: number): number {
    if (this.#at + count > this.#bytes.length) throw malformed();
    let value = 0;
    for (let i = count - 1; i >= 0; i--) value = value * 256 + (this.#bytes[this.#at + i] as number);
    this.#at += count;
    return value;
  }

  /** Reads a number of at most 5 bytes, with seven bits per byte and the lowest bits first. */
  varint(): number {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = this.little(1);
      value += (byte & 0x7f) * 2 ** (7 * i);
      if (byte < 0x80) return value;
    }
    throw malformed();
  }

  /**
   * Returns the length of a literal. A length up to 60 is in the tag itself. A greater length is in the 1 to 4 bytes
   * after the tag.
   */
  literalLength(inTag: number): number {
    return (inTag < 60 ? inTag : this.little(inTag - 59)) + 1;
  }
}

function copyLength(kind: number, tag: number): number {
  return kind === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1;
}

function offsetOf(kind: number, tag: number, input: SnappyInput): number {
  if (kind === 1) return (tag >>> 5) * 256 + input.little(1);
  return input.little(kind === 2 ? 2 : 4);
}

/**
 * Copies earlier output to the end of the output. Source and target may overlap, in which case a pattern is repeated.
 */
function copyBack(output: Buffer, filled: number, offset: number, length: number): void {
  if (offset === 0 || offset > filled) throw malformed();
  if (offset >= length) output.copyWithin(filled, filled - offset, filled - offset + length);
  else for (let i = 0; i < length; i++) output[filled + i] = output[filled + i - offset] as number;
}

function malformed(): MalformedMessage {
  return new MalformedMessage('a message that is not in the Snappy format');
}
