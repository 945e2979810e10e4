import type { MachineClock } from '@portolan/foundation/clock';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import { keepTime, NOOP_MS, TRIM_PAUSE_MS, trimOplog } from './keep-time.ts';
import type { OpenCluster } from './open-cluster.ts';

/** The time after which a round stops, and goes on when the thread has read its messages. */
const ROUND_MS = 5;

interface Kept {
  readonly clusters: ReadonlyMap<string, OpenCluster>;
  /** Returns true while a statement is running. */
  isBusy(): boolean;
  areAllResting(): boolean;
  /** Called when a cluster has written. */
  wrote(cluster: OpenCluster): void;
}

/**
 * Advances the logical time of clusters that are only read, and trims oplogs. Works in rounds over all clusters of a
 * thread. Each write waits for the disk, so a round has pauses for requests.
 */
export class Upkeep {
  readonly #machine: MachineClock;
  readonly #kept: Kept;
  readonly #repetition: Repetition;
  /** The clusters that are left in the current round. */
  #rest: string[] = [];
  /** True if the oplog of a cluster has to be trimmed further. */
  #trims = false;

  constructor(machine: MachineClock, kept: Kept) {
    this.#machine = machine;
    this.#kept = kept;
    this.#repetition = repeat({
      machine,
      run: () => this.round(),
      interval: () => this.#pause(),
      onError: rethrow,
    });
  }

  /** Called when requests have arrived, which can end the rest of a cluster. */
  wake(): void {
    this.#repetition.wake(NOOP_MS);
  }

  /** Begins a round, or goes on with it, for some time. */
  round(): void {
    if (this.#kept.isBusy()) return;
    if (this.#rest.length === 0) {
      this.#rest = [...this.#kept.clusters.keys()];
      this.#trims = false;
    }
    const end = this.#machine.monotonic() + ROUND_MS;
    for (let id = this.#rest.pop(); id !== undefined; id = this.#rest.pop()) {
      const cluster = this.#kept.clusters.get(id);
      if (cluster === undefined) continue;
      if (keepTime(cluster)) this.#kept.wrote(cluster);
      if (trimOplog(cluster)) this.#trims = true;
      if (this.#machine.monotonic() >= end) break;
    }
  }

  #pause(): number {
    if (this.#rest.length > 0) return this.#kept.isBusy() ? TRIM_PAUSE_MS : 0;
    if (this.#trims) return TRIM_PAUSE_MS;
    return this.#kept.areAllResting() ? Number.POSITIVE_INFINITY : NOOP_MS;
  }

  stop(): Promise<void> {
    return this.#repetition.stop();
  }
}
