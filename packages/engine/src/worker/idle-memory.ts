import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import type { SearchReader } from '../search/file/search-reader.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';

/**
 * Maximum number of requests between two calls of `restSince` for which a cluster still releases its page cache. A
 * program that reads metrics sends about this many.
 */
const FEW_REQUESTS = 30;
/** The pause between two steps that release pages. Statements can run during the pause. */
const STEP_MS = 50;

interface IdleMemoryOptions {
  readonly store: Pick<ClusterStore, 'giveBack' | 'shrink'>;
  readonly search: Pick<SearchReader, 'releaseUnused' | 'shrink'>;
  readonly machine: MachineClock;
  readonly log: Log;
  /** Monotonic machine time at which the cluster was opened. */
  readonly opened: number;
  readonly onError: (error: unknown) => void;
}

/**
 * Releases the unused pages and caches of a cluster while it is idle. If the cluster is used, releases the caches that
 * are not needed.
 */
export class IdleMemory {
  readonly #store: IdleMemoryOptions['store'];
  readonly #search: IdleMemoryOptions['search'];
  readonly #log: Log;
  readonly #onError: (error: unknown) => void;
  readonly #releasing: Repetition;
  /** Monotonic machine time of the newest request. */
  #used: number;
  /** Number of requests since the last call of `restSince`. */
  #requests = 0;
  #idle = false;
  #hasMore = false;

  constructor({ store, search, machine, log, opened, onError }: IdleMemoryOptions) {
    this.#store = store;
    this.#search = search;
    this.#log = log;
    this.#onError = onError;
    this.#used = opened;
    this.#releasing = repeat({
      machine,
      first: Number.POSITIVE_INFINITY,
      run: () => this.#release(),
      interval: () => (this.#hasMore ? STEP_MS : Number.POSITIVE_INFINITY),
      onError: rethrow,
    });
  }

  get idle(): boolean {
    return this.#idle;
  }

  /** Records a request at the given monotonic machine time. */
  touch(now: number): void {
    this.#used = now;
    this.#requests++;
    this.#idle = false;
  }

  /**
   * Starts releasing memory if no request has arrived since `time`. To be called periodically. Returns true while the
   * cluster is idle.
   */
  restSince(time: number): boolean {
    if (!this.#idle && this.#used <= time) {
      this.#idle = true;
      this.#releasing.wake();
    }
    if (!this.#idle) this.#releaseUnused();
    this.#requests = 0;
    return this.#idle;
  }

  #releaseUnused(): void {
    this.#search.releaseUnused();
    if (this.#requests <= FEW_REQUESTS) this.#store.shrink();
  }

  /** Releases some pages per step until the cluster is used again. */
  #release(): void {
    this.#hasMore = false;
    if (!this.#idle) return;
    try {
      this.#hasMore = this.#store.giveBack();
      if (this.#hasMore) return;
    } catch (error) {
      // A transaction that reads an older snapshot prevents the WAL from shrinking; the next idle period tries again.
      this.#log.warn({ err: error }, 'unused pages were not released');
      this.#onError(error);
    }
    this.#store.shrink();
    this.#search.shrink();
  }

  close(): void {
    void this.#releasing.stop();
  }
}
