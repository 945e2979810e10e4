import type { ReadTx } from '../../../store/index.ts';
import { findCluster, requireWithRetained } from '../../clusters/index.ts';
import type { SnapshotRow } from './snapshots/rows.ts';

export interface ClusterPath {
  readonly groupId: string;
  readonly clusterName: string;
}

/**
 * Relations whose targets do not exist at the path of a request, and ids of linked operations that do not serve them.
 * Responses do not contain this field.
 */
interface Lacking {
  readonly lacking: readonly string[];
}

/** For entities whose handlers set `lacking`. */
export const lackingIn = (document: object | Lacking): readonly string[] =>
  'lacking' in document ? document.lacking : [];

/**
 * The snapshot of a deleted cluster does not link this cluster, since its name leads to nothing, or to a newer cluster.
 */
export async function lackingOfSnapshot(
  tx: ReadTx,
  at: ClusterPath,
  snapshot: { readonly clusterId: string },
): Promise<Lacking> {
  return { lacking: (await isLive(tx, at, snapshot.clusterId)) ? [] : ['cluster'] };
}

/**
 * Like `lackingOfSnapshot`, for a restore job, which is read by the name of its source or target. The job does not link
 * a snapshot that was deleted or that belongs to another cluster than the named one. Snapshots of replica sets and of
 * sharded clusters have different addresses.
 */
export async function lackingOfJob(
  tx: ReadTx,
  at: ClusterPath,
  job: { readonly clusterId: string },
  snapshot: SnapshotRow | undefined,
): Promise<Lacking> {
  const { id } = await requireWithRetained(tx, at, job.clusterId);
  const cluster = (await isLive(tx, at, id)) ? [] : ['cluster'];
  if (snapshot?.clusterId !== id) return { lacking: [...cluster, 'snapshot'] };
  const isSharded = snapshot.facts.sharded !== undefined;
  return { lacking: [...cluster, isSharded ? 'getReplicaSetBackup' : 'getShardedClusterBackup'] };
}

async function isLive(tx: ReadTx, { groupId, clusterName }: ClusterPath, id: string): Promise<boolean> {
  return (await findCluster(tx, groupId, clusterName))?.id === id;
}
