import type { Journal } from '../observe/journal.ts';
import type { Heartbeat } from '../worker/heartbeat.ts';

/**
 * A query thread counts as stuck after this time without an interruption check. For example, the thread may be matching
 * a pattern with catastrophic backtracking. Work in SQLite takes a few seconds at most.
 */
const STUCK_MS = 10_000;
/**
 * If a thread does not end within this time, its termination has failed. A thread cannot be terminated while it runs
 * native code, for example while V8 compiles a pattern.
 */
const UNENDED_MS = 5_000;
/** The time between two checks. */
export const CHECK_MS = 1_000;
/**
 * Maximum time that is counted between two checks. If more time has passed, the machine has suspended the whole
 * process, and the thread could not run either.
 */
const MAX_COUNTED_MS = 2 * CHECK_MS;
/**
 * At least this share of the time is counted. On a busy machine, the CPU time of the process is counted instead
 * of the time, because the thread cannot reach its next check without a processor. But a thread that waits forever uses
 * no CPU time.
 */
const MIN_COUNTED = 1 / 6;

/** Two times of a check, in milliseconds. */
export interface CheckTimes {
  /** Monotonic machine time. */
  readonly now: number;
  /** The CPU time that all threads of the process have used. */
  readonly processor: number;
}

/** Detects that a thread is stuck, and that a stuck thread cannot be terminated. */
export class StuckWatch {
  readonly #heartbeat: Pick<Heartbeat, 'busy' | 'beats'>;
  #beats = -1;
  #checked: CheckTimes = { now: 0, processor: 0 };
  /**
   * The time since the last interruption check of the thread. If the thread is stuck, the time since this was detected.
   */
  #waited = 0;
  #isStuck = false;

  constructor(heartbeat: Pick<Heartbeat, 'busy' | 'beats'>) {
    this.#heartbeat = heartbeat;
  }

  /** True after `check` has returned `stuck`. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  /**
   * Must be called repeatedly. Returns the state of the thread. Returns `stuck` only once; the caller then terminates
   * the thread.
   */
  check(times: CheckTimes): 'well' | 'stuck' | 'ending' | 'unended' {
    const passed = Math.min(times.now - this.#checked.now, MAX_COUNTED_MS);
    const used = times.processor - this.#checked.processor;
    this.#waited += Math.min(passed, Math.max(used, passed * MIN_COUNTED));
    this.#checked = times;
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

/** Records in the log of a cluster that its statement does not respond, so that its query thread is terminated. */
export function logStuck(journal: Pick<Journal, 'logAll'>, time: number, statement: string): void {
  const msg = 'A statement did not respond, so all connections are closed';
  journal.logAll(time, { s: 'E', c: 'COMMAND', id: 23167, ctx: 'main', msg, attr: { statement } });
}
