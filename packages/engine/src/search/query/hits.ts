/** Which documents of a segment are found, and with which scores. */
export class Hits {
  /** 1 for each that is found. */
  readonly found: Uint8Array;
  readonly scores: Float32Array;

  constructor(size: number) {
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

  /** Found with a score that does not depend on how often. */
  set(doc: number, score: number): void {
    this.found[doc] = 1;
    this.scores[doc] = score;
  }

  /** What is found by either; scores are added up. */
  addAll({ found, scores }: Hits): void {
    for (let doc = 0; doc < found.length; doc++) {
      if (found[doc] === 0) continue;
      this.found[doc] = 1;
      this.scores[doc] = (this.scores[doc] as number) + (scores[doc] as number);
    }
  }

  /** What is found by both; scores are added up. */
  intersect({ found, scores }: Hits): void {
    this.keep(found);
    for (let doc = 0; doc < found.length; doc++) {
      if (this.found[doc] === 1) this.scores[doc] = (this.scores[doc] as number) + (scores[doc] as number);
    }
  }

  /** Only what is found by both stays. */
  keep(found: Uint8Array): void {
    for (let doc = 0; doc < found.length; doc++)
      this.found[doc] = (this.found[doc] as number) & (found[doc] as number);
  }

  without(found: Uint8Array): void {
    for (let doc = 0; doc < found.length; doc++) if (found[doc] === 1) this.found[doc] = 0;
  }

  /** Each score becomes another one. */
  rescore(change: (score: number, doc: number) => number): void {
    const { found, scores } = this;
    for (let doc = 0; doc < found.length; doc++)
      if (found[doc] === 1) scores[doc] = change(scores[doc] as number, doc);
  }
}
