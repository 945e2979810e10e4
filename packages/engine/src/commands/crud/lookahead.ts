import type { RawDocument } from '../../bson/raw.ts';
import type { ResultSource } from '../shared/results.ts';

/** Reads one document ahead. Thus the end of a result is known as soon as its last document is returned. */
export class Lookahead implements Iterator<RawDocument>, ResultSource {
  readonly #documents: Iterator<RawDocument>;
  #next: IteratorResult<RawDocument> | undefined;

  constructor(documents: Iterator<RawDocument>) {
    this.#documents = documents;
  }

  next(): IteratorResult<RawDocument> {
    const next = this.#next ?? this.#documents.next();
    this.#next = undefined;
    return next;
  }

  get ended(): boolean {
    this.#next ??= this.#documents.next();
    return this.#next.done === true;
  }

  release(): void {}
}
