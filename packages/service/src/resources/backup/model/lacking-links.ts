import type { ReadTx } from '../../../store/index.ts';
import { findCluster, requireWithRetained } from '../../clusters/index.ts';
import type { SnapshotRow } from './snapshots/rows.ts';

export interface ClusterPath {
  readonly groupId: string;
  readonly clusterName: string;
}

/**
 * The links that a document must not contain: relations whose targets do not exist at the path of the request, and
 * ids of operations that cannot return the linked snapshot. The field is not part of responses.
 */
interface Lacking {
  readonly lacking: readonly string[];
}

/** Implements `lacks` of `EntityRule` for entities whose handlers set `lacking`. */
export const lackingIn = (document: object | Lacking): readonly string[] =>
  'lacking' in document ? document.lacking : [];

/**
 * The snapshot of a deleted cluster has no link to the cluster, since the cluster's name belongs to no cluster or to
 * a newer one.
 */
export async function lackingOfSnapshot(
  tx: ReadTx,
  at: ClusterPath,
  snapshot: { readonly clusterId: string },
): Promise<Lacking> {
  return { lacking: (await isLive(tx, at, snapshot.clusterId)) ? [] : ['cluster'] };
}

/**
 * Returns the links that a restore job must not contain. A job is requested below the name of its source or target
 * cluster. It has no link to a snapshot that was deleted or that belongs to another cluster than the named one.
 * Snapshots of replica sets and of sharded clusters have different addresses, so one of the two links is omitted.
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
