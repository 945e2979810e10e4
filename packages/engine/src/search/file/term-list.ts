import { encodePosting, VarintWriter } from './codec.ts';
import { sortedInTurns } from './sorted-in-turns.ts';

/** The encoded postings of a term. The buffer is reused for the next term. */
export interface EncodedTerm {
  readonly term: string;
  readonly count: number;
  readonly docs: Uint8Array;
  readonly positions: Uint8Array | null;
}

/** The approximate memory of a term besides its characters, and of each occurrence, in bytes. */
const TERM_BYTES = 120;
const PLACE_BYTES = 12;

/**
 * Collects the terms of a field while a segment is built. All occurrences are in three arrays, which are sorted by term
 * at the end; an object per term would take several times the memory.
 */
export class TermList {
  readonly #numbers = new Map<string, number>();
  readonly #terms = new IntArray();
  readonly #docs = new IntArray();
  readonly #positions: IntArray | undefined;

  constructor(positions: boolean) {
    this.#positions = positions ? new IntArray() : undefined;
  }

  /**
   * Adds an occurrence. Must be called in order of documents and positions. Returns the number of bytes that the
   * occurrence takes.
   */
  add(term: string, doc: number, position: number): number {
    let bytes = PLACE_BYTES;
    let number = this.#numbers.get(term);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(term, number);
      bytes += TERM_BYTES + 2 * term.length;
    }
    this.#terms.push(number);
    this.#docs.push(doc);
    this.#positions?.push(position);
    return bytes;
  }

  /** Yields the terms in the order in which they are written, and undefined where other work can run. */
  *encoded(): Generator<EncodedTerm | undefined> {
    const { ends, docs, positions } = this.#sorted();
    const [docWriter, positionWriter] = [new VarintWriter(), new VarintWriter()];
    const sorted = yield* sortedInTurns(
      [...this.#numbers.keys()],
      (piece) => piece.sort(),
      (a, b) => a < b,
    );
    for (const term of sorted) {
      const number = this.#numbers.get(term) as number;
      const [from, end] = [ends[number - 1] ?? 0, ends[number] as number];
      docWriter.length = 0;
      positionWriter.length = 0;
      const count = encodeDocs(docWriter, docs, from, end);
      if (positions !== undefined) encodePositions(positionWriter, docs, positions, from, end);
      yield {
        term,
        count,
        docs: docWriter.bytes(),
        positions: positions === undefined ? null : positionWriter.bytes(),
      };
    }
  }

  /**
   * Returns the occurrences sorted by term, otherwise in their original order, and the end of each term's occurrences.
   */
  #sorted() {
    const places = this.#terms.length;
    const ends = new Int32Array(this.#numbers.size);
    const terms = this.#terms.values;
    for (let at = 0; at < places; at++) {
      const number = terms[at] as number;
      ends[number] = (ends[number] as number) + 1;
    }
    let sum = 0;
    for (let number = 0; number < ends.length; number++) {
      const count = ends[number] as number;
      ends[number] = sum;
      sum += count;
    }
    const docs = new Int32Array(places);
    const positions = this.#positions && new Int32Array(places);
    for (let at = 0; at < places; at++) {
      const number = terms[at] as number;
      const to = ends[number] as number;
      ends[number] = to + 1;
      docs[to] = this.#docs.values[at] as number;
      if (positions !== undefined) positions[to] = this.#positions?.values[at] as number;
    }
    return { ends, docs, positions };
  }
}

/** Encodes the documents of a term and returns their number. */
function encodeDocs(writer: VarintWriter, docs: Int32Array, from: number, end: number): number {
  let [count, before, at] = [0, 0, from];
  while (at < end) {
    const doc = docs[at] as number;
    let freq = 0;
    for (; at < end && docs[at] === doc; at++) freq++;
    encodePosting(writer, doc - before, freq);
    before = doc;
    count++;
  }
  return count;
}

/** Encodes positions as differences, which start from 0 in each document. */
function encodePositions(
  writer: VarintWriter,
  docs: Int32Array,
  positions: Int32Array,
  from: number,
  end: number,
): void {
  let [doc, before] = [-1, 0];
  for (let at = from; at < end; at++) {
    const position = positions[at] as number;
    if (docs[at] !== doc) {
      doc = docs[at] as number;
      before = 0;
    }
    writer.add(position - before);
    before = position;
  }
}

/** A growing array of integers. */
class IntArray {
  values = new Int32Array(16);
  length = 0;

  push(value: number): void {
    if (this.length === this.values.length) {
      const larger = new Int32Array(this.length * 2);
      larger.set(this.values);
      this.values = larger;
    }
    this.values[this.length++] = value;
  }
}
