import type { ReadTx } from '../../../store/index.ts';
import { findCluster, requireWithRetained } from '../../clusters/index.ts';
import type { SnapshotRow } from './snapshots/rows.ts';

export interface ClusterPath {
  readonly groupId: string;
  readonly clusterName: string;
}

/**
 * The links that a document must not contain, as names of relations and ids of operations. A relation is listed if its
 * target does not exist at the path of the request. An operation is listed if it cannot return the linked snapshot.
 * Responses do not contain this field.
 */
interface Lacking {
  readonly lacking: readonly string[];
}

/** Implements `lacks` of `EntityRule` for entities whose handlers set `lacking`. */
export const lackingIn = (document: object | Lacking): readonly string[] =>
  'lacking' in document ? document.lacking : [];

/**
 * Returns the links that a snapshot must not contain. The snapshot of a deleted cluster has no link to the cluster: the
 * name of the cluster is free, or belongs to a newer cluster.
 */
export async function lackingOfSnapshot(
  tx: ReadTx,
  at: ClusterPath,
  snapshot: { readonly clusterId: string },
): Promise<Lacking> {
  return { lacking: (await isLive(tx, at, snapshot.clusterId)) ? [] : ['cluster'] };
}

/**
 * Returns the links that a restore job must not contain. The path of the request names the source or the target cluster
 * of the job. The job has no link to a snapshot that was deleted, or that belongs to a cluster other than the one in
 * the path. One operation returns the snapshots of replica sets, and another one those of sharded clusters. A job has
 * at most one of these two links.
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
