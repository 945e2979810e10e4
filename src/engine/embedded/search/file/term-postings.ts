import { encodePosting, VarintWriter } from './codec.ts';

/** A term while its segment is built: documents come in order, positions in each of them too. */
export class TermPostings {
  count = 0;
  readonly #docs = new VarintWriter();
  readonly #positions: VarintWriter | undefined;
  /** The document that is being added, and the one before it. */
  #doc = -1;
  #before = 0;
  #freq = 0;
  #position = 0;

  constructor(positions: boolean) {
    this.#positions = positions ? new VarintWriter() : undefined;
  }

  add(doc: number, position: number): void {
    if (doc !== this.#doc) {
      this.#finish();
      this.#doc = doc;
      this.#position = 0;
    }
    this.#freq++;
    this.#positions?.add(position - this.#position);
    this.#position = position;
  }

  #finish(): void {
    if (this.#freq === 0) return;
    encodePosting(this.#docs, this.#doc - this.#before, this.#freq);
    this.#before = this.#doc;
    this.#freq = 0;
    this.count++;
  }

  encode(): { readonly count: number; readonly docs: Uint8Array; readonly positions: Uint8Array | null } {
    this.#finish();
    return { count: this.count, docs: this.#docs.bytes(), positions: this.#positions?.bytes() ?? null };
  }
}
