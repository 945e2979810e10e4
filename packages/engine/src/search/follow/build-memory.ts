/** Maximum memory of the documents that all builds of a thread have read and not written yet. */
const MAX_HELD = 192 * 1024 * 1024;

/**
 * Limits the memory of builds. A build writes its documents when they take 48 MB, but a thread can build the indexes of
 * many clusters at the same time, and a cluster can have a thousand.
 */
export class BuildMemory {
  readonly #most: number;
  readonly #holders = new Set<() => readonly number[]>();

  constructor(most = MAX_HELD) {
    this.#most = most;
  }

  /** Counts the builds of a cluster. `held` returns the bytes of each. Returns a function that ends this. */
  add(held: () => readonly number[]): () => void {
    this.#holders.add(held);
    return () => this.#holders.delete(held);
  }

  /** Whether no build may read further documents until builds have written some. */
  get isFull(): boolean {
    return this.#total() > this.#most;
  }

  /** Whether a build must write its documents: the memory is full, and this build takes at least the average. */
  mustWrite(bytes: number): boolean {
    const count = this.#all().length;
    return this.isFull && bytes * count >= this.#total();
  }

  #all(): number[] {
    return [...this.#holders].flatMap((held) => held()).filter((each) => each > 0);
  }

  #total(): number {
    return this.#all().reduce((sum, each) => sum + each, 0);
  }
}

/** The memory of all builds of this thread. */
export const buildMemory = new BuildMemory();
