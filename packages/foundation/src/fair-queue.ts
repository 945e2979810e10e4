/**
 * Runs work one piece at a time. The keys take turns: in each turn, one piece of work of a key runs. So a key with much
 * work delays the other keys by at most one piece per turn. A failure does not affect later work.
 */
export class FairQueue<K> {
  /** The work that has not begun, by key. The key whose turn is next comes first. */
  readonly #waiting = new Map<K, (() => void)[]>();
  #isBusy = false;
  #size = 0;

  /** Number of calls whose work has not begun. */
  get size(): number {
    return this.#size;
  }

  /** Number of calls with this key whose work has not begun. */
  sizeOf(key: K): number {
    return this.#waiting.get(key)?.length ?? 0;
  }

  /** Runs `work` when it is its turn. Resolves or rejects with the outcome of `work`. */
  async run<T>(key: K, work: () => T | Promise<T>): Promise<T> {
    if (this.#isBusy) await this.#turn(key);
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turn(key: K): Promise<void> {
    this.#size++;
    return new Promise((start) => {
      const own = this.#waiting.get(key);
      if (own === undefined) this.#waiting.set(key, [start]);
      else own.push(start);
    });
  }

  /** Starts the first work of the key whose turn it is, and moves the key to the end. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    const [key, [start, ...others]] = first;
    this.#waiting.delete(key);
    if (others.length > 0) this.#waiting.set(key, others);
    this.#size--;
    start?.();
  }
}
