import { passes, step } from '../../bson/turns.ts';

/** The documents of a segment that match, with their scores. */
export class Hits {
  /** For each document, 1 if it matches and 0 otherwise. */
  readonly found: Uint8Array;
  readonly scores: Float32Array;

  constructor(size: number) {
    passes(size);
    this.found = new Uint8Array(size);
    this.scores = new Float32Array(size);
  }

  static none(size: number): Hits {
    return new Hits(size);
  }

  add(doc: number, score: number): void {
    this.found[doc] = 1;
    this.scores[doc] = (this.scores[doc] as number) + score;
  }

  /** Adds a match or changes its score. */
  set(doc: number, score: number): void {
    this.found[doc] = 1;
    this.scores[doc] = score;
  }

  /** Adds the matches of other hits. A document that matches in both gets the sum of the scores. */
  addAll({ found, scores }: Hits): void {
    passes(found.length);
    for (let doc = 0; doc < found.length; doc++) {
      if (found[doc] === 0) continue;
      this.found[doc] = 1;
      this.scores[doc] = (this.scores[doc] as number) + (scores[doc] as number);
    }
  }

  /** Keeps only the matches for which `found` is 1. */
  keep(found: Uint8Array): void {
    passes(found.length);
    for (let doc = 0; doc < found.length; doc++)
      this.found[doc] = (this.found[doc] as number) & (found[doc] as number);
  }

  without(found: Uint8Array): void {
    passes(found.length);
    for (let doc = 0; doc < found.length; doc++) if (found[doc] === 1) this.found[doc] = 0;
  }

  /** Replaces each score by the result of `change`. */
  rescore(change: (score: number, doc: number) => number): void {
    const { found, scores } = this;
    passes(found.length);
    for (let doc = 0; doc < found.length; doc++) {
      if (found[doc] === 0) continue;
      scores[doc] = change(scores[doc] as number, doc);
      step();
    }
  }
}

/**
 * Sums of the scores of several clauses. Lucene adds them as numbers of 64 bits and rounds the sum to 32 bits, so the
 * order of clauses does not matter.
 */
export class ScoreSums {
  readonly found: Uint8Array;
  readonly scores: Float64Array;

  constructor(size: number) {
    passes(size);
    this.found = new Uint8Array(size);
    this.scores = new Float64Array(size);
  }

  add(doc: number, score: number): void {
    this.found[doc] = 1;
    this.scores[doc] = (this.scores[doc] as number) + score;
  }

  addAll({ found, scores }: Hits): void {
    passes(found.length);
    for (let doc = 0; doc < found.length; doc++) {
      if (found[doc] === 1) this.add(doc, scores[doc] as number);
    }
  }

  /** Replaces each sum by the mean. */
  divideBy(counts: Uint32Array): void {
    passes(counts.length);
    for (let doc = 0; doc < counts.length; doc++) {
      if (this.found[doc] === 1) this.scores[doc] = (this.scores[doc] as number) / (counts[doc] as number);
    }
  }

  toHits(): Hits {
    const hits = new Hits(this.found.length);
    hits.found.set(this.found);
    hits.scores.set(this.scores);
    return hits;
  }
}
