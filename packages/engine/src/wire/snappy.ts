import { setImmediate } from 'node:timers/promises';
import { MalformedMessage } from '../message/sections.ts';

/**
 * Number of steps after which decompression lets other connections run. A step is an element of the input, or 16 bytes
 * of output. The steps take a few milliseconds.
 */
const TURN_STEPS = 32_768;
const BYTES_PER_STEP = 16;

/**
 * Decompresses Snappy's raw format. If this takes many steps, returns a promise. The package `snappyjs` is not used,
 * because it is not safe for untrusted input. A literal with a negative length makes it loop forever, and it does not
 * detect that the output is too short.
 */
export function readSnappy(bytes: Uint8Array, size: number): Buffer | Promise<Buffer> {
  const reader = new SnappyReader(bytes, size);
  return reader.read() ? reader.output : readInTurns(reader);
}

async function readInTurns(reader: SnappyReader): Promise<Buffer> {
  do await setImmediate();
  while (!reader.read());
  return reader.output;
}

class SnappyReader {
  readonly output: Buffer;
  readonly #input: SnappyInput;
  #filled = 0;

  constructor(bytes: Uint8Array, size: number) {
    this.#input = new SnappyInput(bytes);
    if (this.#input.varint() !== size) throw malformed();
    this.output = Buffer.allocUnsafe(size);
  }

  /** Reads some elements. Returns true if the input has ended. */
  read(): boolean {
    const input = this.#input;
    const { output } = this;
    for (let steps = TURN_STEPS; !input.ended; ) {
      if (steps < 0) return false;
      const tag = input.little(1);
      const kind = tag & 3;
      const length = kind === 0 ? input.literalLength(tag >>> 2) : copyLength(kind, tag);
      if (this.#filled + length > output.length) throw malformed();
      if (kind === 0) output.set(input.take(length), this.#filled);
      else copyBack(output, this.#filled, offsetOf(kind, tag, input), length);
      this.#filled += length;
      steps -= 1 + length / BYTES_PER_STEP;
    }
    if (this.#filled !== output.length) throw malformed();
    return true;
  }
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

/** Copies earlier output to the end of the output. If source and target overlap, the copied bytes repeat. */
function copyBack(output: Buffer, filled: number, offset: number, length: number): void {
  if (offset === 0 || offset > filled) throw malformed();
  if (offset >= length) output.copyWithin(filled, filled - offset, filled - offset + length);
  else for (let i = 0; i < length; i++) output[filled + i] = output[filled + i - offset] as number;
}

function malformed(): MalformedMessage {
  return new MalformedMessage('a message that is not in the Snappy format');
}
