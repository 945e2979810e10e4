/** Work that goes on beside whoever asks for it, at most so much at a time. */
export class InFlight {
  readonly #most: number;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  /** Resolves when it has begun; throws what has gone wrong with what was begun before. */
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

  /** Resolves when all of it has ended; throws what has gone wrong. */
  async done(): Promise<void> {
    await this.ended();
    this.#check();
  }

  /** Resolves when all of it has ended, well or not. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  #check(): void {
    if (this.#failure) throw this.#failure.error;
  }
}

/** What is found for each item, in order; for so many of them it is looked for ahead. */
export async function* lookAhead<T, R>(
  items: Iterable<T>,
  most: number,
  look: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const coming: Promise<R>[] = [];
  for (const item of items) {
    const found = look(item);
    // Whoever has stopped to listen is not to be ended by what comes too late.
    found.catch(() => {});
    coming.push(found);
    const first = coming.length > most ? coming.shift() : undefined;
    if (first) yield await first;
  }
  for (const found of coming) yield await found;
}
