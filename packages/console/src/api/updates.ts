/**
 * Runs updates one after another. If two updates ran at the same time, the later update would cancel the requests of
 * the earlier one.
 */
export class Updates {
  readonly #update: () => Promise<void>;
  #isRequested = false;
  #isRunning = false;

  constructor(update: () => Promise<void>) {
    this.#update = update;
  }

  request(): void {
    this.#isRequested = true;
    if (!this.#isRunning) void this.#run();
  }

  stop(): void {
    this.#isRequested = false;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#isRequested) {
      this.#isRequested = false;
      await this.#update();
    }
    this.#isRunning = false;
  }
}
