interface Pending<T> {
  resolve(reply: T): void;
  reject(error: Error): void;
}

/** Requests that wait for a reply, by id. */
export class PendingReplies<K, T> {
  readonly #pending = new Map<K, Pending<T>>();

  get size(): number {
    return this.#pending.size;
  }

  /** Resolves to the reply to the request with this id. */
  wait(id: K): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
    });
  }

  resolve(id: K, reply: T): void {
    this.#take(id)?.resolve(reply);
  }

  reject(id: K, error: Error): void {
    this.#take(id)?.reject(error);
  }

  /** Rejects all pending requests, for example because the thread has ended. */
  rejectAll(error: () => Error): void {
    const all = [...this.#pending.values()];
    this.#pending.clear();
    for (const { reject } of all) reject(error());
  }

  #take(id: K): Pending<T> | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}
