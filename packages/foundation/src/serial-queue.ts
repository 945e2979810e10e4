/** Runs work one at a time, in the order of the calls. A failure does not affect later work. */
export class SerialQueue {
  #last: Promise<void> = Promise.resolve();
  #size = 0;

  /** Number of calls whose work has not ended, including the running one. */
  get size(): number {
    return this.#size;
  }

  /** Runs `work` when all earlier work has ended. Resolves or rejects with the outcome of `work`. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    this.#size++;
    const result = this.#last.then(work);
    const ended = () => void this.#size--;
    this.#last = result.then(ended, ended);
    return result;
  }
}

/** Serial queues by key. Work with different keys runs in parallel. */
export class SerialQueues<K> {
  readonly #queues = new Map<K, SerialQueue>();

  /** Number of keys with work that has not ended. */
  get size(): number {
    return this.#queues.size;
  }

  async run<T>(key: K, work: () => T | Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? new SerialQueue();
    this.#queues.set(key, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.size === 0 && this.#queues.get(key) === queue) this.#queues.delete(key);
    }
  }
}
