/** How far a count may be behind the highest count. A client can have at most this many requests in flight. */
const WINDOW = 1024;
const WORD_BITS = 32;

/**
 * The counts (`nc`) of one nonce that were used: the highest count, and a bitmap of the 1,024 counts before it.
 * Requests on parallel connections may thus arrive out of order, but cannot be replayed.
 */
export class CountWindow {
  #highest = 0;
  /** The bitmap. It is allocated on the second use, since most nonces are used once. */
  #used: Uint32Array | undefined;

  /** Marks a count as used. Returns false if it was used before, or is too old for the bitmap. */
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

  /**
   * Moves the window to `count`, the new highest count. The highest count gets its bit only when a higher count
   * arrives.
   */
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
