import type { MachineClock } from '@portolan/foundation/clock';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import { expiring, removeExpired } from '../storage/expiry.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import { WriteBlocked } from '../storage/transactions/write-guard.ts';
import type { OpenCluster } from './open-cluster.ts';

/** Maximum pause between two rounds. */
const LONGEST_MS = 60_000;
/** The pause between two batches of a cluster. Other writes can run during the pause. */
const PAUSE_MS = 20;
const MAX_CONCURRENT = 1_000;

/**
 * Removes expired documents in all clusters of a thread, at the interval that the parameters of each cluster define.
 */
export class Expiry {
  readonly #machine: MachineClock;
  readonly #rounds = new WeakMap<OpenCluster, Round>();
  readonly #repetition: Repetition;

  /**
   * `expire` removes a batch in one cluster and returns true if there may be more. No round starts while `busy` returns
   * true.
   */
  constructor(
    machine: MachineClock,
    clusters: () => Iterable<OpenCluster>,
    expire: (cluster: OpenCluster) => boolean,
    busy: () => boolean,
  ) {
    this.#machine = machine;
    let pause = LONGEST_MS;
    this.#repetition = repeat({
      machine,
      run: () => {
        pause = busy() ? PAUSE_MS : this.#round(clusters(), expire);
      },
      interval: () => pause,
      onError: rethrow,
    });
  }

  /** Adds a cluster. A change of its interval takes effect at once. */
  add(cluster: OpenCluster): void {
    this.#rounds.set(cluster, { at: this.#machine.monotonic(), more: false });
    cluster.parameters.onExpirySet = () => this.#repetition.wake(periodOf(cluster));
    this.#repetition.wake(periodOf(cluster));
  }

  /**
   * Runs a round at once. Called when the service time was set. By the new service time, documents may have expired,
   * but the interval between rounds follows machine time.
   */
  clockMoved(clusters: Iterable<OpenCluster>): void {
    for (const cluster of clusters) this.#rounds.set(cluster, { at: Number.NEGATIVE_INFINITY, more: false });
    this.#repetition.wake();
  }

  /** Runs a round. Returns the milliseconds until the next one. */
  #round(clusters: Iterable<OpenCluster>, expire: (cluster: OpenCluster) => boolean): number {
    const now = this.#machine.monotonic();
    let next = LONGEST_MS;
    for (const cluster of clusters) {
      const look = this.#rounds.get(cluster) ?? { at: now, more: false };
      if (now - look.at >= pauseOf(cluster, look)) {
        look.at = now;
        look.more = expire(cluster);
      }
      next = Math.min(next, look.at + pauseOf(cluster, look) - now);
    }
    return next;
  }

  stop(): Promise<void> {
    return this.#repetition.stop();
  }
}

interface Round {
  /** Monotonic machine time of the last batch. */
  at: number;
  more: boolean;
}

function pauseOf(cluster: OpenCluster, { more }: Round): number {
  return more ? PAUSE_MS : periodOf(cluster);
}

function periodOf({ parameters }: OpenCluster): number {
  return parameters.ttlMonitorSleepSecs * 1000;
}

/** Removes a batch of expired documents if the cluster has a primary. Returns true if there may be more. */
export function expireDocuments(cluster: OpenCluster): boolean {
  if (!cluster.parameters.ttlMonitorEnabled || cluster.store.mustWait) return false;
  if (!cluster.topology.members.some(({ state }) => state === 'PRIMARY')) return false;
  const all = expiring(cluster.store);
  const { expiry } = cluster.counters;
  try {
    const removed = all.length === 0 ? 0 : removeAll(cluster, all);
    expiry.deletedDocuments += removed;
    const more = removed === MAX_CONCURRENT;
    if (!more) expiry.passes++;
    return more;
  } catch (error) {
    // An open transaction has written one of the documents; the next round tries again.
    if (error instanceof WriteBlocked) return false;
    if (!(error instanceof StorageError)) throw error;
    // Report the error instead of throwing it: a full or damaged file must not affect other clusters of the thread.
    cluster.met(error);
    return false;
  }
}

function removeAll({ store, clock }: OpenCluster, all: ReturnType<typeof expiring>): number {
  return store.write(() => {
    let left = MAX_CONCURRENT;
    for (const one of all) left -= removeExpired(store, one, clock.now(), left);
    return MAX_CONCURRENT - left;
  });
}
