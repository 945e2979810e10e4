import { pauseAfter } from '@portolan/foundation/back-off';
import type { MachineClock } from '@portolan/foundation/clock';

const PAUSES = { first: 250, greatest: 30_000 };
/** If no thread has ended for this time, the next pause is as short as the first one. */
const STEADY_MS = 120_000;

/**
 * Restarts threads that end unexpectedly. The pause before a restart grows with each restart, because the cause may
 * persist.
 */
export class Restarts {
  readonly #clock: MachineClock;
  #failures = 0;
  /** Monotonic machine time at which a thread last ended. */
  #last = Number.NEGATIVE_INFINITY;
  #lastOfMemory = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;

  constructor(clock: MachineClock) {
    this.#clock = clock;
  }

  /** Calls `start` after the pause. `reason` says why the thread has ended. */
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

  /** True if a thread recently ran out of memory. */
  get outOfMemory(): boolean {
    return this.#clock.monotonic() - this.#lastOfMemory < STEADY_MS;
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
