/** How far behind the highest count a request may arrive: as many as one client can have under way. */
const WINDOW = 1024;
const WORD_BITS = 32;

/**
 * Which counts (`nc`) of one nonce were used: the last 1024 below the highest, as bits in a ring, so that requests of
 * parallel connections may overtake each other and none counts twice.
 */
export class CountWindow {
  #highest = 0;
  /** Absent until a second request comes: most nonces are used once. */
  #used: Uint32Array | undefined;

  /** Marks a count as used; false when it was used before, or is too old to tell. */
  use(count: number): boolean {
    if (count > this.#highest) {
      if (this.#highest > 0) this.#slideTo(count);
      this.#highest = count;
      return true;
    }
    if (count <= this.#highest - WINDOW) return false;
    if (count === this.#highest || this.#has(count)) return false;
    this.#mark(count);
    return true;
  }

  /** The highest count itself has no bit until a higher one comes. */
  #slideTo(count: number): void {
    const used = this.#bits();
    if (count - this.#highest >= WINDOW) used.fill(0);
    else for (let passed = this.#highest + 1; passed <= count; passed++) this.#clear(passed);
    if (count - this.#highest < WINDOW) this.#mark(this.#highest);
  }

  #bits(): Uint32Array {
    this.#used ??= new Uint32Array(WINDOW / WORD_BITS);
    return this.#used;
  }

  #has(count: number): boolean {
    return (((this.#used?.[wordOf(count)] ?? 0) >>> (count % WORD_BITS)) & 1) === 1;
  }

  #mark(count: number): void {
    const used = this.#bits();
    used[wordOf(count)] = (used[wordOf(count)] ?? 0) | (1 << (count % WORD_BITS));
  }

  #clear(count: number): void {
    const used = this.#bits();
    used[wordOf(count)] = (used[wordOf(count)] ?? 0) & ~(1 << (count % WORD_BITS));
  }
}

function wordOf(count: number): number {
  return Math.floor((count % WINDOW) / WORD_BITS);
}
