import type { MachineClock } from '@portolan/foundation/clock';
import { type Repetition, repeat, rethrow } from '@portolan/foundation/repeat';
import { Interruption } from '../errors/interruption.ts';
import { type Expiring, expiring, isCurrent, removeExpired } from '../storage/expiry.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import { WriteBlocked } from '../storage/transactions/write-guard.ts';
import type { OpenCluster } from './open-cluster.ts';

/** Maximum pause between two rounds. */
const LONGEST_MS = 60_000;
/** The pause between two batches of a cluster. Other writes can run during the pause. */
const PAUSE_MS = 20;
/** Maximum number of documents in a batch. */
const BATCH_DOCUMENTS = 1_000;
/** The time after which a batch ends. It has at least one document, or one rule by which no document has expired. */
const BATCH_MS = 20;
/** The time after which a round stops, and goes on when the thread has read its messages. */
const ROUND_MS = 5;

/** Runs a write of a cluster outside all requests. */
type WriteInBackground = <T>(cluster: OpenCluster, work: () => T) => T;

/**
 * Removes expired documents in all clusters of a thread, at the interval that the parameters of each cluster define.
 */
export class Expiry {
  readonly #machine: MachineClock;
  readonly #write: WriteInBackground;
  readonly #rounds = new WeakMap<OpenCluster, Round>();
  readonly #repetition: Repetition;

  /** No round starts while `busy` returns true. */
  constructor(
    machine: MachineClock,
    clusters: () => Iterable<OpenCluster>,
    write: WriteInBackground,
    busy: () => boolean,
  ) {
    this.#machine = machine;
    this.#write = write;
    let pause = LONGEST_MS;
    this.#repetition = repeat({
      machine,
      run: () => {
        pause = busy() ? PAUSE_MS : this.#round(clusters());
      },
      interval: () => pause,
      onError: rethrow,
    });
  }

  /** Adds a cluster. A change of its interval takes effect at once. */
  add(cluster: OpenCluster): void {
    this.#rounds.set(cluster, { at: this.#machine.monotonic(), rest: [] });
    cluster.parameters.onExpirySet = () => this.#repetition.wake(periodOf(cluster));
    this.#repetition.wake(periodOf(cluster));
  }

  /**
   * Runs a round at once. Called when the service time was set. By the new service time, documents may have expired,
   * but the interval between rounds follows machine time.
   */
  clockMoved(clusters: Iterable<OpenCluster>): void {
    for (const cluster of clusters) this.#rounds.set(cluster, { at: Number.NEGATIVE_INFINITY, rest: [] });
    this.#repetition.wake();
  }

  /** Runs a round. Returns the milliseconds until the next one. */
  #round(clusters: Iterable<OpenCluster>): number {
    const now = this.#machine.monotonic();
    let next = LONGEST_MS;
    let started = false;
    for (const cluster of clusters) {
      const look = this.#rounds.get(cluster) ?? { at: now, rest: [] };
      if (now - look.at >= pauseOf(cluster, look)) {
        if (started && this.#machine.monotonic() - now >= ROUND_MS) return 0;
        started = true;
        look.at = now;
        look.rest = this.#expire(cluster, look.rest);
      }
      next = Math.min(next, look.at + pauseOf(cluster, look) - now);
    }
    return next;
  }

  /**
   * Removes a batch of expired documents if the cluster has a primary. `rest` are the rules that the last batch has
   * left, if any. Returns the rules that this batch leaves.
   */
  #expire(cluster: OpenCluster, rest: readonly Expiring[]): readonly Expiring[] {
    if (!cluster.parameters.ttlMonitorEnabled || cluster.store.mustWait) return [];
    if (!cluster.topology.members.some(({ state }) => state === 'PRIMARY')) return [];
    const rules = rest.length > 0 ? rest.filter(isCurrent) : expiring(cluster.store);
    const { expiry } = cluster.counters;
    try {
      const batch = new Batch(cluster, this.#machine);
      const left = rules.length === 0 ? rules : this.#write(cluster, () => batch.remove(rules));
      expiry.deletedDocuments += batch.removed;
      if (left.length === 0) expiry.passes++;
      return left;
    } catch (error) {
      // An open transaction has written one of the documents, or the cluster closes. The next round tries again.
      if (error instanceof WriteBlocked || error instanceof Interruption) return [];
      if (!(error instanceof StorageError)) throw error;
      // Report the error instead of throwing it: a full or damaged file must not affect other clusters of the thread.
      cluster.met(error);
      return [];
    }
  }

  stop(): Promise<void> {
    return this.#repetition.stop();
  }
}

interface Round {
  /** Monotonic machine time of the last batch. */
  at: number;
  /** The rules that the last batch has left. */
  rest: readonly Expiring[];
}

function pauseOf(cluster: OpenCluster, { rest }: Round): number {
  return rest.length > 0 ? PAUSE_MS : periodOf(cluster);
}

function periodOf({ parameters }: OpenCluster): number {
  return parameters.ttlMonitorSleepSecs * 1000;
}

/** The removal of some expired documents in one transaction. */
class Batch {
  readonly #cluster: OpenCluster;
  readonly #machine: MachineClock;
  readonly #end: number;
  removed = 0;

  constructor(cluster: OpenCluster, machine: MachineClock) {
    this.#cluster = cluster;
    this.#machine = machine;
    this.#end = machine.monotonic() + BATCH_MS;
  }

  /** Returns the rules that are left. */
  remove(rules: readonly Expiring[]): readonly Expiring[] {
    const { store, clock } = this.#cluster;
    return store.write(() => {
      for (const [at, rule] of rules.entries()) {
        if (at > 0 && this.#isOver) return rules.slice(at);
        const before = this.removed;
        const goesOn = (removed: number) => {
          this.removed = before + removed;
          return this.removed === 0 || !this.#isOver;
        };
        const { removed, more } = removeExpired(store, rule, clock.now(), goesOn);
        this.removed = before + removed;
        if (more) return rules.slice(at);
      }
      return [];
    });
  }

  get #isOver(): boolean {
    return this.removed >= BATCH_DOCUMENTS || this.#machine.monotonic() >= this.#end;
  }
}
