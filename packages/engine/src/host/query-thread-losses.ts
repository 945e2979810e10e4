import type { MachineClock } from '@portolan/foundation/clock';

/**
 * Maximum number of losses within `WINDOW_MS`. If a deployment loses its thread more often, the deployment itself is
 * regarded as the cause, and fails for a while.
 */
const MAX_LOSSES = 5;
const WINDOW_MS = 60_000;

/** Counts how often a deployment has recently lost its query thread. */
export class QueryThreadLosses {
  readonly #clock: MachineClock;
  /** The times of the latest losses, in monotonic machine time. */
  #times: number[] = [];

  constructor(clock: MachineClock) {
    this.#clock = clock;
  }

  add(): void {
    this.#times = [...this.#recent(), this.#clock.monotonic()];
  }

  get areTooMany(): boolean {
    return this.#recent().length > MAX_LOSSES;
  }

  #recent(): number[] {
    const now = this.#clock.monotonic();
    return this.#times.filter((time) => now - time < WINDOW_MS);
  }
}
