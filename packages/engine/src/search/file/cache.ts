interface Kept {
  readonly value: unknown;
  readonly bytes: number;
  turn: number;
}

/**
 * Caches decoded parts of a file up to a number of bytes. Evicts the least recently used parts, except parts that the
 * current search has used. Otherwise, a search that needs more than the cache would evict each part before it reads the
 * part again.
 */
export class ByteCache {
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  #turn = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Marks the start of another search. */
  begin(): void {
    this.#turn++;
  }

  get<T>(key: string, make: () => { readonly value: T; readonly bytes: number }): T {
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
      this.#kept.set(key, { ...made, turn: this.#turn });
      this.#bytes += made.bytes;
    }
    return made.value;
  }

  #room(bytes: number): boolean {
    for (const [key, kept] of this.#kept) {
      if (this.#bytes + bytes <= this.#most || kept.turn === this.#turn) break;
      this.#kept.delete(key);
      this.#bytes -= kept.bytes;
    }
    return this.#bytes + bytes <= this.#most;
  }

  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  get bytes(): number {
    return this.#bytes;
  }
}
