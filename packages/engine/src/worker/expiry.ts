import type { MachineClock } from '@portolan/foundation/clock';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import { expiring, removeExpired } from '../storage/indexes/expiry.ts';
import { StorageError } from '../storage/storage-error.ts';
import { WriteBlocked } from '../storage/transactions/write-guard.ts';
import type { OpenCluster } from './open-cluster.ts';

/** The longest that a cluster which nobody has told anything else waits. */
const LONGEST_MS = 60_000;
/** Where more have expired than go at once, the next ones go after a pause in which others may write. */
const PAUSE_MS = 20;
const MOST_AT_ONCE = 1_000;

/** Looks for expired documents in all clusters of a thread, in each as often as its parameters say. */
export class Expiry {
  readonly #machine: MachineClock;
  readonly #looks = new WeakMap<OpenCluster, Look>();
  readonly #repetition: Repetition;

  /** `expire` looks in one of the clusters: true when there may be more to do. Nothing is done while `busy`. */
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

  /** From here on it is one of the clusters that are looked at, and looked at again when it is told to be. */
  add(cluster: OpenCluster): void {
    this.#looks.set(cluster, { at: this.#machine.monotonic(), more: false });
    cluster.parameters.onExpirySet = () => this.#repetition.wake(periodOf(cluster));
    this.#repetition.wake(periodOf(cluster));
  }

  /** Service time was moved: what is over now goes now, and not when the next look is due by the machine. */
  clockMoved(clusters: Iterable<OpenCluster>): void {
    for (const cluster of clusters) this.#looks.set(cluster, { at: Number.NEGATIVE_INFINITY, more: false });
    this.#repetition.wake();
  }

  /** Milliseconds until the next round. */
  #round(clusters: Iterable<OpenCluster>, expire: (cluster: OpenCluster) => boolean): number {
    const now = this.#machine.monotonic();
    let next = LONGEST_MS;
    for (const cluster of clusters) {
      const look = this.#looks.get(cluster) ?? { at: now, more: false };
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

interface Look {
  /** Monotonic machine time of the last look. */
  at: number;
  more: boolean;
}

function pauseOf(cluster: OpenCluster, { more }: Look): number {
  return more ? PAUSE_MS : periodOf(cluster);
}

function periodOf({ parameters }: OpenCluster): number {
  return parameters.ttlMonitorSleepSecs * 1000;
}

/** Removes documents whose time is over, where the cluster has a primary; true when there may be more of them. */
export function expireDocuments(cluster: OpenCluster): boolean {
  if (!cluster.parameters.ttlMonitorEnabled) return false;
  if (!cluster.topology.members.some(({ state }) => state === 'PRIMARY')) return false;
  const all = expiring(cluster.store);
  const { expiry } = cluster.counters;
  try {
    const removed = all.length === 0 ? 0 : removeAll(cluster, all);
    expiry.deletedDocuments += removed;
    const more = removed === MOST_AT_ONCE;
    if (!more) expiry.passes++;
    return more;
  } catch (error) {
    // An open transaction has written one of them; it is over when they are looked for again.
    if (error instanceof WriteBlocked) return false;
    // Its users have to make room first.
    if (error instanceof StorageError && error.reason === 'full') return false;
    throw error;
  }
}

function removeAll({ store, clock }: OpenCluster, all: ReturnType<typeof expiring>): number {
  return store.write(() => {
    let left = MOST_AT_ONCE;
    for (const one of all) left -= removeExpired(store, one, clock.now(), left);
    return MOST_AT_ONCE - left;
  });
}
