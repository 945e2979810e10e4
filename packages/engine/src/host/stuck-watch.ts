import type { Heartbeat } from '../worker/heartbeat.ts';

/**
 * After this time without an interruption check, a query thread counts as stuck, for example in a pattern with
 * catastrophic backtracking. Work in SQLite takes a few seconds at most.
 */
const STUCK_MS = 10_000;
/**
 * After this time, the termination of a thread counts as failed. A thread in native code cannot be terminated, for
 * example while V8 compiles a pattern.
 */
const UNENDED_MS = 5_000;
/** The time between two checks. */
export const CHECK_MS = 1_000;
/**
 * The time between two checks counts at most this long. It is longer if the machine has stopped the whole process, in
 * which case the thread was stopped as well.
 */
const MAX_COUNTED_MS = 2 * CHECK_MS;

/** Detects that a thread is stuck, and that a stuck thread cannot be terminated. */
export class StuckWatch {
  readonly #heartbeat: Pick<Heartbeat, 'busy' | 'beats'>;
  #beats = -1;
  /** Monotonic machine time of the last check. */
  #checked = 0;
  /** The time since the last interruption check of the thread, or since it was found to be stuck. */
  #waited = 0;
  #isStuck = false;

  constructor(heartbeat: Pick<Heartbeat, 'busy' | 'beats'>) {
    this.#heartbeat = heartbeat;
  }

  /** True from the check that has returned `stuck`. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /** Called repeatedly. Returns `stuck` once; the caller then terminates the thread. */
  check(now: number): 'well' | 'stuck' | 'ending' | 'unended' {
    this.#waited += Math.min(now - this.#checked, MAX_COUNTED_MS);
    this.#checked = now;
    if (this.#isStuck) return this.#waited < UNENDED_MS ? 'ending' : 'unended';
    const { busy, beats } = this.#heartbeat;
    if (!busy || beats !== this.#beats) {
      this.#beats = beats;
      this.#waited = 0;
      return 'well';
    }
    if (this.#waited < STUCK_MS) return 'well';
    this.#isStuck = true;
    this.#waited = 0;
    return 'stuck';
  }
}
