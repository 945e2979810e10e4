import type { MachineClock } from '../../../runtime/clock.ts';
import { type Repetition, repeat, rethrow } from '../../../runtime/repeat.ts';
import { expiring, removeExpired } from '../storage/indexes/expiry.ts';
import { WriteBlocked } from '../storage/transactions/write-guard.ts';
import type { OpenCluster } from './open-cluster.ts';

/** How often expired documents are looked for. */
const PERIOD_MS = 60_000;
/** Where more have expired than go at once, the next ones go after a pause in which others may write. */
const PAUSE_MS = 20;
const MOST_AT_ONCE = 1_000;

/** Calls `run` once a minute, and soon again while it answers that there is more to do. */
export function expireRegularly(machine: MachineClock, run: () => boolean): Repetition {
  let pause = PERIOD_MS;
  return repeat({
    machine,
    run() {
      pause = run() ? PAUSE_MS : PERIOD_MS;
    },
    interval: () => pause,
    onError: rethrow,
  });
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
