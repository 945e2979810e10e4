import { StorageError } from '../storage/file/storage-error.ts';
import type { OpenCluster } from './open-cluster.ts';

/** The interval of no-op entries in milliseconds, the default of the server (`periodicNoopIntervalSecs`). */
export const NOOP_MS = 10_000;

/**
 * Advances the logical time of a cluster that has written nothing for `NOOP_MS` of service time: appends a no-op to its
 * oplog. Returns true if it has appended one. Unlike the server, does nothing for a cluster that receives no requests,
 * so that the file of the cluster is not written.
 */
export function keepTime(cluster: OpenCluster): boolean {
  const { store, clock, parameters, topology } = cluster;
  if (cluster.resting || parameters.writeLocks > 0 || store.mustWait) return false;
  if (clock.now() - store.oplog.lastWall < NOOP_MS) return false;
  if (!topology.members.some(({ state }) => state === 'PRIMARY')) return false;
  try {
    store.write(() => store.oplog.appendNoop('periodic noop'));
    return true;
  } catch (error) {
    // Report the error instead of throwing it: a full or damaged file must not affect other clusters of the thread.
    if (!(error instanceof StorageError)) throw error;
    cluster.met(error);
    return false;
  }
}

/** The pause between two removals of entries of an oplog in milliseconds. Writes can run in between. */
export const TRIM_PAUSE_MS = 100;

/**
 * Removes some entries of an oplog that is much larger than its limit, because the limit was lowered, or because many
 * entries have passed their minimum retention. A commit removes only a bounded number of them. Returns true if there are
 * more.
 */
export function trimOplog(cluster: OpenCluster): boolean {
  const { store, parameters } = cluster;
  if (!store.oplog.exceedsLimit || parameters.writeLocks > 0 || store.mustWait) return false;
  try {
    const before = store.oplog.bytes;
    store.write(() => {});
    return store.oplog.exceedsLimit && store.oplog.bytes < before;
  } catch (error) {
    // Report the error, as above.
    if (!(error instanceof StorageError)) throw error;
    cluster.met(error);
    return false;
  }
}
