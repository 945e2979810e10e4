import { encodePosting, VarintWriter } from './codec.ts';

/** What a segment keeps of a term; shares memory with what made it until the next one is made. */
export interface EncodedTerm {
  readonly term: string;
  readonly count: number;
  readonly docs: Uint8Array;
  readonly positions: Uint8Array | null;
}

/** About what a term takes beside its letters, and what each place of one takes. */
const TERM_BYTES = 120;
const PLACE_BYTES = 12;

/**
 * The terms of a field while its segment is built: all their places one behind the other in three arrays, to be
 * sorted by term in the end. An object for each term would be all over the memory, and several times as large.
 */
export class TermList {
  readonly #numbers = new Map<string, number>();
  readonly #terms = new Numbers();
  readonly #docs = new Numbers();
  readonly #positions: Numbers | undefined;

  constructor(positions: boolean) {
    this.#positions = positions ? new Numbers() : undefined;
  }

  /** Documents come in order, positions in each of them too. Answers how many bytes that has taken. */
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

  /** In the order in which they are to be written. */
  *encoded(): Generator<EncodedTerm> {
    const { ends, docs, positions } = this.#sorted();
    const [docWriter, positionWriter] = [new VarintWriter(), new VarintWriter()];
    for (const term of [...this.#numbers.keys()].sort()) {
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

  /** Places by the number of their term, and behind which place each term ends; what was in order stays in order. */
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

/** Answers how many documents there are. */
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

/** As differences, which begin anew in each document. */
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

/** Whole numbers, as many as there will be. */
class Numbers {
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
