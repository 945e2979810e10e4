import { passes } from '../../bson/turns.ts';
import type { Postings } from '../file/codec.ts';
import type { Segment } from '../file/segment.ts';
import { keys } from '../mapping/field.ts';
import { decodedLength } from './bm25.ts';

/** The text lengths of a field in all documents that are not deleted. */
export class FieldStatistics {
  readonly field: string;
  /** The number of documents with the field. */
  readonly documents: number;
  /**
   * The average number of tokens per document. Tokens at the same position count separately here, but count once in a
   * length.
   */
  readonly average: number;
  readonly #lengths = new Map<number, Int32Array | undefined>();

  constructor(field: string, segments: readonly Segment[]) {
    this.field = field;
    let [documents, terms] = [0, 0];
    for (const segment of segments) {
      const lengths = segment.lengths(field);
      this.#lengths.set(segment.number, lengths);
      if (lengths === undefined) continue;
      passes(lengths.length);
      const totals = segment.lengths(keys.total(field));
      const whole = segment.dead === 0;
      for (let doc = 0; doc < lengths.length; doc++) {
        const length = lengths[doc] as number;
        if (length === 0 || !(whole || segment.lives(doc))) continue;
        documents++;
        terms += totals?.[doc] || length;
      }
    }
    this.documents = documents;
    this.average = documents === 0 ? 1 : terms / documents;
  }

  /** Returns the length in a document, rounded as Lucene stores it. */
  length(segment: Segment, doc: number): number {
    return decodedLength(this.#lengths.get(segment.number)?.[doc] ?? 0);
  }

  lengthsIn(segment: Segment): Int32Array | undefined {
    return this.#lengths.get(segment.number);
  }
}

/** The postings of a term in all segments. */
export class TermStatistics {
  readonly field: string;
  readonly term: string;
  /** The number of documents that contain the term. */
  readonly documents: number;
  readonly #postings = new Map<number, Postings>();

  constructor(field: string, term: string, segments: readonly Segment[]) {
    this.field = field;
    this.term = term;
    let documents = 0;
    for (const segment of segments) {
      const postings = segment.postings(field, term);
      if (postings === undefined) continue;
      this.#postings.set(segment.number, postings);
      passes(postings.count);
      if (segment.dead === 0) documents += postings.count;
      else for (const doc of postings.docs) if (segment.lives(doc)) documents++;
    }
    this.documents = documents;
  }

  postings(segment: Segment): Postings | undefined {
    return this.#postings.get(segment.number);
  }
}
