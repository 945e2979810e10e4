import { type BackOff, pauseAfter } from './back-off.ts';
import type { MachineClock } from './clock.ts';
import { asError } from './thrown.ts';

export interface RepeatOptions {
  readonly machine: Pick<MachineClock, 'after' | 'monotonic'>;
  /** Performs one round. `signal` is aborted when the repetition stops. */
  readonly run: (signal: AbortSignal) => unknown;
  /**
   * The milliseconds from the end of a round to the start of the next. A function is called after each round. With
   * infinity, only `wake` starts rounds.
   */
  readonly interval: number | (() => number);
  /** The milliseconds before the first round, by default the interval. With 0, the first round starts at once. */
  readonly first?: number;
  /** Replaces the interval after a failed round. */
  readonly backOff?: BackOff;
  /** Called with the error of a failed round. Rounds continue. An error that this function throws is not caught. */
  readonly onError: (error: Error) => void;
  /** Stops the repetition. */
  readonly signal?: AbortSignal;
}

/** Work that runs repeatedly, but never twice at the same time. */
export interface Repetition {
  /**
   * Makes the next round start within this number of milliseconds. By default it starts at once, or right after the
   * current round.
   */
  wake(within?: number): void;
  /** Resolves when no round is running or about to start. */
  idle(): Promise<void>;
  /** Starts no more rounds. Resolves when the current round has ended. A round must not await it. */
  stop(): Promise<void>;
}

/**
 * Runs work repeatedly, with a pause after each round, until it is stopped. The timer does not keep the process alive.
 */
export function repeat(options: RepeatOptions): Repetition {
  return new Repeater(options);
}

/**
 * An error handler for rounds that handle all expected errors. Any other error is a bug and ends the process or thread.
 */
export function rethrow(error: Error): never {
  throw error;
}

class Repeater implements Repetition {
  readonly #options: RepeatOptions;
  readonly #abort = new AbortController();
  #running = false;
  /** The current round, if it is asynchronous. */
  #round: Promise<void> | undefined;
  /** True if `wake` was called during the current round. */
  #again = false;
  /** Monotonic time at which the next round starts. */
  #due = Number.POSITIVE_INFINITY;
  /**
   * The shortest pause requested since the last round. A request for a longer pause can be ignored without reading the
   * clock.
   */
  #pause = Number.POSITIVE_INFINITY;
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
    if (within > 0) this.#beginWithin(within);
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

  #beginWithin(ms: number): void {
    if (ms >= this.#pause) return;
    const due = this.#options.machine.monotonic() + ms;
    if (due >= this.#due) return;
    this.#due = due;
    this.#pause = ms;
    if (!this.#running) this.#startTimer(ms);
  }

  #startTimer(ms: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#options.machine.after(ms, () => this.#begin());
  }

  #begin(): void {
    this.#cancelTimer();
    this.#due = Number.POSITIVE_INFINITY;
    this.#pause = Number.POSITIVE_INFINITY;
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
      // Aborting a round is not a failure.
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
    this.#pause = Math.max(0, this.#due - now);
    this.#startTimer(this.#pause);
  }
}
