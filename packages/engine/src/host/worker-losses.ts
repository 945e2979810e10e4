import type { MachineClock } from '@portolan/foundation/clock';

/** More losses than this within a minute are caused by the cluster itself: its deployment fails for a while. */
const MAX_LOSSES = 5;
const WINDOW_MS = 60_000;

/** How often a deployment has lost its query worker recently. */
export class WorkerLosses {
  readonly #clock: MachineClock;
  /** Monotonic machine times. */
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
