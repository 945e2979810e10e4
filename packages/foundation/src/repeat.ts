import { type BackOff, pauseAfter } from './back-off.ts';
import type { MachineClock } from './clock.ts';
import { asError } from './thrown.ts';

export interface RepeatOptions {
  readonly machine: Pick<MachineClock, 'after' | 'monotonic'>;
  /**
   * One round: what it does before its first `await` happens at once. `signal` is aborted when the repetition
   * stops.
   */
  readonly run: (signal: AbortSignal) => unknown;
  /**
   * Milliseconds from the end of a round to the next; a function is asked after each round. Infinite: until somebody
   * wakes it.
   */
  readonly interval: number | (() => number);
  /** Milliseconds before the first round; the interval by default. With 0 it begins at once. */
  readonly first?: number;
  /** Takes the place of the interval after a round that has failed. */
  readonly backOff?: BackOff;
  /** Is told of a round that has failed; the next one comes nevertheless. What it throws itself nobody catches. */
  readonly onError: (error: Error) => void;
  /** Stops the repetition. */
  readonly signal?: AbortSignal;
}

/** Work that is done again and again. Two rounds never run at the same time. */
export interface Repetition {
  /** Has a round begin within so many milliseconds, at once by default, or right after the one that runs. */
  wake(within?: number): void;
  /** Resolves when no round runs and none is to follow at once. */
  idle(): Promise<void>;
  /** Begins no more rounds; resolves when the one that runs has ended. A round must not wait for it. */
  stop(): Promise<void>;
}

/** Does something, waits, and does it again until it is stopped. Its timer does not keep the process alive. */
export function repeat(options: RepeatOptions): Repetition {
  return new Repeater(options);
}

/** For rounds that see to their own errors: one that is left ends the process, or the thread, and is reported there. */
export function rethrow(error: Error): never {
  throw error;
}

class Repeater implements Repetition {
  readonly #options: RepeatOptions;
  readonly #abort = new AbortController();
  #running = false;
  /** Of a round that did not end at once. */
  #round: Promise<void> | undefined;
  /** A round was asked for while one ran. */
  #again = false;
  /** Monotonic time at which the next round begins. */
  #due = Number.POSITIVE_INFINITY;
  /** Milliseconds from some moment until then: who wants a round no sooner than that is served without the clock. */
  #within = Number.POSITIVE_INFINITY;
  #cancelTimer = () => {};
  #failures = 0;

  constructor(options: RepeatOptions) {
    this.#options = options;
    if (options.signal?.aborted) this.#abort.abort(options.signal.reason);
    options.signal?.addEventListener('abort', () => void this.stop(), { once: true });
    this.wake(options.first ?? this.#interval());
  }

  wake(within = 0): void {
    if (this.#abort.signal.aborted) return;
    if (within > 0) this.#beginIn(within);
    else if (this.#running) this.#again = true;
    else this.#begin();
  }

  async idle(): Promise<void> {
    while (this.#round !== undefined) await this.#round;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    this.#cancelTimer();
    await this.idle();
  }

  #interval(): number {
    const { interval } = this.#options;
    return typeof interval === 'number' ? interval : interval();
  }

  #beginIn(ms: number): void {
    if (ms >= this.#within) return;
    const due = this.#options.machine.monotonic() + ms;
    if (due >= this.#due) return;
    this.#due = due;
    this.#within = ms;
    if (!this.#running) this.#startTimer(ms);
  }

  #startTimer(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.machine.after(ms, () => this.#begin());
  }

  #begin(): void {
    this.#cancelTimer();
    this.#due = Number.POSITIVE_INFINITY;
    this.#within = Number.POSITIVE_INFINITY;
    this.#again = false;
    this.#running = true;
    let outcome: unknown;
    try {
      outcome = this.#options.run(this.#abort.signal);
    } catch (error) {
      this.#failed(error);
      return;
    }
    if (!(outcome instanceof Promise)) this.#succeeded();
    else
      this.#round = outcome.then(
        () => this.#succeeded(),
        (error) => this.#failed(error),
      );
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#ended(() => this.#interval());
  }

  #failed(thrown: unknown): void {
    const { onError, backOff } = this.#options;
    const failures = ++this.#failures;
    const error = asError(thrown);
    try {
      // A round that was stopped has not failed.
      if (!this.#abort.signal.aborted || error.name !== 'AbortError') onError(error);
    } finally {
      this.#ended(() => (backOff === undefined ? this.#interval() : pauseAfter(failures, backOff)));
    }
  }

  #ended(pause: () => number): void {
    this.#running = false;
    this.#round = undefined;
    if (this.#abort.signal.aborted) return;
    if (this.#again) {
      this.#begin();
      return;
    }
    const now = this.#options.machine.monotonic();
    this.#due = Math.min(this.#due, now + pause());
    if (!Number.isFinite(this.#due)) return;
    this.#within = Math.max(0, this.#due - now);
    this.#startTimer(this.#within);
  }
}
