interface Kept {
  readonly segment: number;
  readonly value: unknown;
  readonly bytes: number;
  turn: number;
}

/**
 * Caches decoded parts of a file up to a number of bytes. Evicts the least recently used parts, except parts that the
 * current search has used. Otherwise, a search that needs more bytes than the cache can hold would evict each part
 * before it reads the part again. Each part belongs to a segment of the file.
 */
export class ByteCache {
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #turn = 0;
  /** The number of the last search before the latest call of `releaseUnused`. */
  #released = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Marks the start of another search. */
  begin(): void {
    this.#turn++;
  }

  get<T>(segment: number, part: string, make: () => { readonly value: T; readonly bytes: number }): T {
    const key = `${segment} ${part}`;
    const found = this.#kept.get(key);
    if (found !== undefined) {
      this.#kept.delete(key);
      this.#kept.set(key, found);
      found.turn = this.#turn;
      return found.value as T;
    }
    const made = make();
    // Another search may have run meanwhile, and may have read the same part.
    if (this.#kept.has(key)) return made.value;
    if (this.#room(made.bytes)) {
      this.#kept.set(key, { ...made, segment, turn: this.#turn });
      this.#bytes += made.bytes;
    }
    return made.value;
  }

  #room(bytes: number): boolean {
    for (const [key, kept] of this.#kept) {
      if (this.#bytes + bytes <= this.#most || kept.turn === this.#turn) break;
      this.#evict(key, kept);
    }
    return this.#bytes + bytes <= this.#most;
  }

  #evict(key: string, kept: Kept): void {
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }

  /** Evicts the parts of segments that are no longer in the file. */
  removeSegments(numbers: ReadonlySet<number>): void {
    for (const [key, kept] of this.#kept) if (numbers.has(kept.segment)) this.#evict(key, kept);
  }

  /** Evicts the parts that no search has used since the last call. */
  releaseUnused(): void {
    for (const [key, kept] of this.#kept) {
      if (kept.turn > this.#released) break;
      this.#evict(key, kept);
    }
    this.#released = this.#turn;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  get bytes(): number {
    return this.#bytes;
  }
}
