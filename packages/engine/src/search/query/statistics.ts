import type { Postings } from '../file/codec.ts';
import type { Segment } from '../file/segment.ts';
import { decodedLength } from './bm25.ts';

/** How long the texts of a field are, over all documents that are not deleted. */
export class FieldStatistics {
  readonly field: string;
  /** Documents that have the field. */
  readonly documents: number;
  /** Terms of a document, at the mean. */
  readonly average: number;
  readonly #lengths = new Map<number, Int32Array | undefined>();

  constructor(field: string, segments: readonly Segment[]) {
    this.field = field;
    let [documents, terms] = [0, 0];
    for (const segment of segments) {
      const lengths = segment.lengths(field);
      this.#lengths.set(segment.number, lengths);
      if (lengths === undefined) continue;
      const whole = segment.dead === 0;
      for (let doc = 0; doc < lengths.length; doc++) {
        const length = lengths[doc] as number;
        if (length === 0 || !(whole || segment.lives(doc))) continue;
        documents++;
        terms += length;
      }
    }
    this.documents = documents;
    this.average = documents === 0 ? 1 : terms / documents;
  }

  /** Of a document, as scores count it: with the few digits that Lucene keeps. */
  length(segment: Segment, doc: number): number {
    return decodedLength(this.#lengths.get(segment.number)?.[doc] ?? 0);
  }

  lengthsIn(segment: Segment): Int32Array | undefined {
    return this.#lengths.get(segment.number);
  }
}

/** Where a term is, over all segments. */
export class TermStatistics {
  readonly field: string;
  readonly term: string;
  /** Documents that have it. */
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
      if (segment.dead === 0) documents += postings.count;
      else for (const doc of postings.docs) if (segment.lives(doc)) documents++;
    }
    this.documents = documents;
  }

  postings(segment: Segment): Postings | undefined {
    return this.#postings.get(segment.number);
  }
}
