/** Runs several pieces of work at the same time, up to a limit. */
export class InFlight {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when the work has started. Rejects with the first error of earlier work. */
  async add(work: () => Promise<unknown>): Promise<void> {
    while (this.#running.size >= this.#most) await Promise.race(this.#running);
    this.#check();
    const running: Promise<void> = work().then(
      () => void this.#running.delete(running),
      (error: unknown) => {
        this.#running.delete(running);
        this.#failure ??= { error };
      },
    );
    this.#running.add(running);
  }

  /** Resolves when all work has ended. Rejects with the first error. */
  async done(): Promise<void> {
    await this.ended();
    this.#check();
  }

  /** Resolves when all work has ended, whether or not it failed. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #check(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** Loads items concurrently, at most `most` items ahead of the consumer. Yields the results in order. */
export async function* lookAhead<T, R>(
  items: Iterable<T>,
  most: number,
  load: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  for (const item of items) {
    const loaded = load(item);
    // Prevents an unhandled rejection if a load fails after the consumer has stopped.
    loaded.catch(() => {});
    pending.push(loaded);
    const first = pending.length > most ? pending.shift() : undefined;
    if (first) yield await first;
  }
  for (const found of pending) yield await found;
}
