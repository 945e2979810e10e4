import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MachineClock } from './clock.ts';
import { type Repetition, repeat, rethrow } from './repeat.ts';

/**
 * Collects all garbage of this thread and returns its memory to the system. V8 does this by itself only while a thread
 * allocates, so an idle thread would keep the memory of its busiest minute. With 57 MB in use, a call takes 90 ms of
 * CPU time.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'major'; flavor: 'last-resort' }) => void = runInNewContext('gc');
  collect({ type: 'major', flavor: 'last-resort' });
}

/**
 * The share of the time for which a thread may work and still count as idle. A reader of metrics, for example, causes
 * such work.
 */
const IDLE_SHARE = 0.01;

interface IdleCollectionOptions {
  readonly machine: MachineClock;
  /** The time without use after which the thread counts as idle. */
  readonly idleMs: number;
  /**
   * Returns the CPU time of the thread in milliseconds. With this function, a thread that is used but hardly works also
   * counts as idle. Without it, a thread that is used never counts as idle.
   */
  readonly workedMs?: () => number;
  /** The share of the time for which the thread may work while it is idle. */
  readonly idleShare?: number;
  readonly collect: () => void;
}

/** Collects the garbage of a thread once each time that it becomes idle. */
export class IdleCollection {
  readonly #options: IdleCollectionOptions;
  readonly #repetition: Repetition;
  /** True if the thread was used since the last round. */
  #used = false;
  /** True if the garbage has not been collected since the last use. */
  #due = false;
  /** True if the thread has worked much since the last collection. */
  #worked = false;
  /** The CPU time of the thread at the last round. */
  #before = 0;

  constructor(options: IdleCollectionOptions) {
    this.#options = options;
    const { machine, idleMs } = options;
    this.#repetition = repeat({
      machine,
      first: Number.POSITIVE_INFINITY,
      run: () => this.#round(),
      interval: () => (this.#due ? idleMs : Number.POSITIVE_INFINITY),
      onError: rethrow,
    });
  }

  /**
   * Collects the garbage if the thread was not used since the last round. Also collects it if the thread hardly worked
   * since the last round, but worked much before.
   */
  #round(): void {
    const worked = this.#workedSinceLastRound();
    this.#due = this.#used;
    this.#used = false;
    this.#worked ||= worked;
    if (this.#due && (worked || !this.#worked)) return;
    this.#options.collect();
    this.#worked = false;
    this.#before = this.#options.workedMs?.() ?? 0;
  }

  #workedSinceLastRound(): boolean {
    const { idleMs, workedMs, idleShare = IDLE_SHARE } = this.#options;
    if (workedMs === undefined) return this.#used;
    const before = this.#before;
    this.#before = workedMs();
    return this.#before - before > idleMs * idleShare;
  }

  /**
   * After `ms` milliseconds, collects the garbage that the start of the thread has left. If the thread is used earlier,
   * waits until it is idle.
   */
  begin(ms: number): void {
    if (this.#due) return;
    this.#due = true;
    this.#repetition.wake(ms);
  }

  /** Records that the thread is in use. */
  touch(): void {
    this.#used = true;
    this.begin(this.#options.idleMs);
  }

  /**
   * Records a use that leaves no garbage worth collecting. If a collection is due, it waits until the thread is idle.
   */
  postpone(): void {
    this.#used = true;
  }

  stop(): void {
    void this.#repetition.stop();
  }
}

/**
 * The time without use, or with little work, after which a thread counts as idle and releases its memory. A collection
 * takes 100 to 350 ms of CPU time in a service. With 2 s, a service that tests use for a minute collected ten times,
 * which was a quarter of its CPU time.
 */
export const IDLE_MS = 30_000;

/** Calls `collect` once each time that the calling thread becomes idle. `workedMs` returns its CPU time. */
export function collectionOfThread(
  machine: MachineClock,
  collect: () => void,
  workedMs = threadMs,
): IdleCollection {
  return new IdleCollection({ machine, idleMs: IDLE_MS, workedMs, collect });
}

/** The CPU time of this thread in milliseconds. */
function threadMs(): number {
  return totalMs(process.threadCpuUsage());
}

/** The CPU time of all threads of this process in milliseconds. */
export function processMs(): number {
  return totalMs(process.cpuUsage());
}

function totalMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1_000;
}
