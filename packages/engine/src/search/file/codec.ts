import { passes, step, steps } from '../../bson/turns.ts';

/** Writes numbers as varints: seven bits per byte, the least significant first. */
export class VarintWriter {
  #bytes = new Uint8Array(64);
  length = 0;

  add(value: number): void {
    if (this.length + 5 > this.#bytes.length) this.#grow();
    let rest = value;
    while (rest > 0x7f) {
      this.#bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.length++] = rest;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** Returns the written bytes, which share memory with the writer. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }
}

class VarintReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get ended(): boolean {
    return this.#at >= this.#bytes.length;
  }

  next(): number {
    let byte = this.#bytes[this.#at++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    let shift = 7;
    do {
      byte = this.#bytes[this.#at++] as number;
      value |= (byte & 0x7f) << shift;
      shift += 7;
    } while (byte >= 0x80);
    return value >>> 0;
  }
}

/** The documents that contain a term, in order, and the frequency of the term in each. */
export interface Postings {
  readonly count: number;
  readonly docs: Int32Array;
  readonly freqs: Int32Array;
}

/**
 * Writes a document as the difference of its number to that of the previous document. The lowest bit is 1 if the term
 * occurs once in the document. Otherwise the frequency follows.
 */
export function encodePosting(writer: VarintWriter, difference: number, freq: number): void {
  if (freq === 1) writer.add((difference << 1) | 1);
  else {
    writer.add(difference << 1);
    writer.add(freq);
  }
}

export function decodePostings(bytes: Uint8Array, count: number): Postings {
  const docs = new Int32Array(count);
  const freqs = new Int32Array(count);
  const reader = new VarintReader(bytes);
  let doc = 0;
  for (let i = 0; i < count; i++) {
    const head = reader.next();
    doc += head >>> 1;
    docs[i] = doc;
    freqs[i] = head & 1 ? 1 : reader.next();
  }
  steps(count);
  return { count, docs, freqs };
}

/** Returns the positions of a term in each of its documents. */
export function decodePositions(bytes: Uint8Array, { count, freqs }: Postings): Int32Array[] {
  const reader = new VarintReader(bytes);
  const all: Int32Array[] = [];
  for (let i = 0; i < count; i++) {
    const own = new Int32Array(freqs[i] as number);
    let position = 0;
    for (let at = 0; at < own.length; at++) {
      position += reader.next();
      own[at] = position;
    }
    all.push(own);
    step();
    passes(own.length);
  }
  return all;
}

/** Values in ascending order, each with the number of its document. */
export interface Points {
  readonly values: Float64Array;
  readonly docs: Int32Array;
}

export function encodePoints({ values, docs }: Points): Uint8Array {
  const bytes = new Uint8Array(values.length * 12);
  bytes.set(bytesOf(values));
  bytes.set(bytesOf(docs), values.length * 8);
  return bytes;
}

export function decodePoints(bytes: Uint8Array): Points {
  const count = bytes.length / 12;
  // Copies the bytes, because typed arrays need aligned bytes and those from a file are not aligned.
  const own = bytes.slice();
  return {
    values: new Float64Array(own.buffer, 0, count),
    docs: new Int32Array(own.buffer, count * 8, count),
  };
}

export function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Concatenates byte strings. Their lengths come first. */
export function encodeStrings(all: readonly Uint8Array[]): Uint8Array {
  const lengths = new VarintWriter();
  for (const { length } of all) lengths.add(length);
  const head = lengths.bytes();
  const size = all.reduce((sum, { length }) => sum + length, 0);
  const bytes = new Uint8Array(4 + head.length + size);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  let at = 4 + head.length;
  for (const one of all) {
    bytes.set(one, at);
    at += one.length;
  }
  return bytes;
}

export function decodeStrings(bytes: Uint8Array): Uint8Array[] {
  const head = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const lengths = new VarintReader(bytes.subarray(4, 4 + head));
  const all: Uint8Array[] = [];
  let at = 4 + head;
  while (!lengths.ended) {
    const length = lengths.next();
    all.push(bytes.subarray(at, at + length));
    step();
    at += length;
  }
  return all;
}

export function hasBit(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3] as number) & (1 << (at & 7))) !== 0;
}

export function setBit(bits: Uint8Array, at: number): void {
  bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
}
