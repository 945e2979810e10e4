/** Runs work concurrently, up to a limit. */
export class InFlight {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when the work has started; throws errors of earlier work. */
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

  /** Resolves when all work has ended; throws its errors. */
  async done(): Promise<void> {
    await this.ended();
    this.#check();
  }

  /** Resolves when all work has ended, with or without errors. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #check(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** Maps items in order, with a limited number of lookups ahead. */
export async function* lookAhead<T, R>(
  items: Iterable<T>,
  most: number,
  look: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const coming: Promise<R>[] = [];
  for (const item of items) {
    const found = look(item);
    // A consumer that stopped must not see a late rejection.
    found.catch(() => {});
    coming.push(found);
    const first = coming.length > most ? coming.shift() : undefined;
    if (first) yield await first;
  }
  for (const found of coming) yield await found;
}
