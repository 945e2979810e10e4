interface Entry {
  readonly score: number;
  readonly from: number;
  readonly doc: number;
}

/**
 * Keeps a limited number of entries with the highest scores. Among entries with equal scores, those that were offered
 * first stay.
 */
export class Best {
  readonly #most: number;
  /** A heap with the lowest score at the top. */
  readonly #entries: Entry[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Offers an entry. `from` is the number of its source. Entries must be offered in ascending order of source and
   * document.
   */
  offer(score: number, from: number, doc: number): void {
    const entries = this.#entries;
    if (entries.length < this.#most) {
      entries.push({ score, from, doc });
      this.#rise(entries.length - 1);
    } else if (score > (entries[0]?.score ?? Number.POSITIVE_INFINITY)) {
      entries[0] = { score, from, doc };
      this.#sink();
    }
  }

  /** Returns the entries in no particular order. */
  entries(): Iterable<Entry> {
    return this.#entries;
  }

  #rise(from: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#worse(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(): void {
    let at = 0;
    for (;;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let worst = at;
      if (left < this.#entries.length && this.#worse(left, worst)) worst = left;
      if (right < this.#entries.length && this.#worse(right, worst)) worst = right;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #worse(a: number, b: number): boolean {
    const [one, other] = [this.#at(a), this.#at(b)];
    if (one.score !== other.score) return one.score < other.score;
    return one.from === other.from ? one.doc > other.doc : one.from > other.from;
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#at(a), this.#at(b)];
    this.#entries[a] = other;
    this.#entries[b] = one;
  }

  #at(at: number): Entry {
    return this.#entries[at] as Entry;
  }
}
