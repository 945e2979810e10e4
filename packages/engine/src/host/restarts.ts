import { pauseAfter } from '@portolan/foundation/back-off';
import type { MachineClock } from '@portolan/foundation/clock';

const PAUSES = { first: 250, greatest: 30_000 };
/** Who has run so long has nothing to do with what ended before. */
const STEADY_MS = 120_000;

/** Threads that end unasked are started again: each time after a longer pause, as they may end of the same cause. */
export class Restarts {
  readonly #clock: MachineClock;
  #failures = 0;
  /** Monotonic machine times. */
  #last = Number.NEGATIVE_INFINITY;
  #lastOfMemory = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: MachineClock) {
    this.#clock = clock;
  }

  /** One has ended; `start` is called after the pause. */
  after(reason: string, start: () => void): void {
    const now = this.#clock.monotonic();
    this.#failures = now - this.#last < STEADY_MS ? this.#failures + 1 : 1;
    this.#last = now;
    if (reason.includes('ERR_WORKER_OUT_OF_MEMORY')) this.#lastOfMemory = now;
    this.#cancel?.();
    this.#cancel = this.#clock.after(pauseAfter(this.#failures, PAUSES), () => {
      this.#cancel = undefined;
      start();
    });
  }

  get waiting(): boolean {
    return this.#cancel !== undefined;
  }

  /** One has ended in the last time as there was no memory left for it. */
  get outOfMemory(): boolean {
    return this.#clock.monotonic() - this.#lastOfMemory < STEADY_MS;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
