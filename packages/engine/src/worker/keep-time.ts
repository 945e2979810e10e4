import { StorageError } from '../storage/file/storage-error.ts';
import type { OpenCluster } from './open-cluster.ts';

/** As in the reference server (`periodicNoopIntervalSecs`). */
export const NOOP_MS = 10_000;

/**
 * Appends a no-op to the oplog of a cluster that has written nothing for `NOOP_MS` of service time, so that its logical
 * time advances. Simplified: not in a cluster that nobody has asked for longer, whose file thus rests too. True if one
 * was written.
 */
export function keepTime(cluster: OpenCluster): boolean {
  const { store, clock, parameters, topology } = cluster;
  if (cluster.resting || parameters.writeLocks > 0) return false;
  if (clock.now() - store.oplog.lastWall < NOOP_MS) return false;
  if (!topology.members.some(({ state }) => state === 'PRIMARY')) return false;
  try {
    store.write(() => store.oplog.appendNoop('periodic noop'));
    return true;
  } catch (error) {
    // Another cluster of the thread must not suffer from a file that is full or damaged.
    if (!(error instanceof StorageError)) throw error;
    cluster.met(error);
    return false;
  }
}
