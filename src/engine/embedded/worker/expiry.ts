import type { MachineClock } from '../../../runtime/clock.ts';
import { expiring, removeExpired } from '../storage/indexes/expiry.ts';
import { WriteBlocked } from '../storage/transactions/write-guard.ts';
import type { OpenCluster } from './open-cluster.ts';

/** How often expired documents are looked for. */
const PERIOD_MS = 60_000;
/** Where more have expired than go at once, the next ones go after a pause in which others may write. */
const PAUSE_MS = 20;
const MOST_AT_ONCE = 1_000;

/** Calls `run` once a minute, and soon again while it answers that there is more to do. */
export class ExpiryTimer {
  readonly #machine: MachineClock;
  readonly #run: () => boolean;
  #cancel: (() => void) | undefined;

  constructor(machine: MachineClock, run: () => boolean) {
    this.#machine = machine;
    this.#run = run;
  }

  start(): void {
    if (this.#cancel === undefined) this.#schedule(PERIOD_MS);
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #schedule(ms: number): void {
    this.#cancel = this.#machine.after(ms, () => this.#schedule(this.#run() ? PAUSE_MS : PERIOD_MS));
  }
}

/** Removes documents whose time is over, where the cluster has a primary; true when there may be more of them. */
export function expireDocuments(cluster: OpenCluster): boolean {
  if (!cluster.topology.members.some(({ state }) => state === 'PRIMARY')) return false;
  const all = expiring(cluster.store);
  if (all.length === 0) return false;
  try {
    return cluster.store.write(() => {
      let left = MOST_AT_ONCE;
      for (const one of all) left -= removeExpired(cluster.store, one, cluster.clock.now(), left);
      return left === 0;
    });
  } catch (error) {
    // An open transaction has written one of them; it is over when they are looked for again.
    if (error instanceof WriteBlocked) return false;
    throw error;
  }
}
