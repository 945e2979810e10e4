import type { ReadTx } from '../../../store/index.ts';
import {
  assertCan,
  type ClusterModel,
  isSharded,
  requireCluster,
  requireNamed,
  requireWithRetained,
} from '../../clusters/index.ts';
import { isBackedUp } from '../model/settings.ts';
import { type SnapshotRow, snapshotById, snapshotOfMember } from '../model/snapshots/rows.ts';
import { snapshotFaults } from './faults.ts';

/** The default retention of on-demand snapshots. The contract does not define one. */
export const DEFAULT_RETENTION_DAYS = 7;

interface ClusterPath {
  readonly groupId: string;
  readonly clusterName: string;
}

/** Returns the cluster that a path names. Throws BACKUP_CONFIG_NOT_FOUND for a cluster without cloud backup. */
export async function requireBackedUp(tx: ReadTx, at: ClusterPath) {
  return assertBackedUp(await requireCluster(tx, at), at);
}

/**
 * Returns the cluster of a snapshot, even after the cluster was removed. Throws BACKUP_CONFIG_NOT_FOUND for a cluster
 * without cloud backup.
 */
export async function requireSource(tx: ReadTx, at: ClusterPath & { readonly snapshotId: string }) {
  const row = await snapshotById(tx, at.snapshotId);
  return assertBackedUp(await requireWithRetained(tx, at, row?.clusterId), at);
}

/**
 * Returns the cluster that a path names, even after it was removed. `clusterId` selects one of several clusters with
 * the same name. Throws BACKUP_CONFIG_NOT_FOUND for a cluster without cloud backup.
 */
export async function requireHistory(tx: ReadTx, at: ClusterPath, clusterId: string | undefined) {
  return assertBackedUp(await requireNamed(tx, at, clusterId), at);
}

function assertBackedUp(cluster: ClusterModel, at: ClusterPath): ClusterModel {
  assertCan(cluster, 'snapshots');
  if (!isBackedUp(cluster)) throw snapshotFaults.BACKUP_CONFIG_NOT_FOUND(at.clusterName, at.groupId);
  return cluster;
}

/** The API has separate snapshot operations for replica sets and for sharded clusters. */
export type SnapshotKind = 'replicaSet' | 'shardedCluster';

export function kindOf({ spec }: ClusterModel): SnapshotKind {
  return isSharded(spec) ? 'shardedCluster' : 'replicaSet';
}

/**
 * Returns the cluster that a path names, even after the cluster was removed. `clusterId` selects one of
 * several clusters with the same name. Throws INCORRECT_BACKUP_API_ENDPOINT for a cluster whose snapshots are
 * not of this kind.
 */
export async function requireOfKind(tx: ReadTx, at: ClusterPath, kind: SnapshotKind, clusterId?: string) {
  return assertOfKind(await requireNamed(tx, at, clusterId), at, kind);
}

function assertOfKind(cluster: ClusterModel, at: ClusterPath, kind: SnapshotKind): ClusterModel {
  assertCan(cluster, 'snapshots');
  const own = kindOf(cluster);
  if (own !== kind) throw snapshotFaults.INCORRECT_BACKUP_API_ENDPOINT(pathOf(at, own));
  return cluster;
}

function pathOf({ groupId, clusterName }: ClusterPath, kind: SnapshotKind): string {
  const snapshots = `/groups/${groupId}/clusters/${clusterName}/backup/snapshots`;
  return kind === 'replicaSet' ? snapshots : `${snapshots}/shardedClusters`;
}

/**
 * Returns the snapshot that a path names. Throws SNAPSHOT_NOT_FOUND, or INCORRECT_BACKUP_API_ENDPOINT for a
 * snapshot that is not of this kind.
 */
export async function requireSnapshot(
  tx: ReadTx,
  at: ClusterPath & { readonly snapshotId: string },
  kind: SnapshotKind,
): Promise<SnapshotRow> {
  const row = await snapshotById(tx, at.snapshotId);
  const cluster = assertOfKind(await requireWithRetained(tx, at, row?.clusterId), at, kind);
  if (row?.clusterId !== cluster.id) throw snapshotFaults.SNAPSHOT_NOT_FOUND(at.snapshotId, at.clusterName);
  return row;
}

/** If the path names the snapshot of a single shard, returns the shard and the whole snapshot. */
export async function findShard(tx: ReadTx, at: ClusterPath & { readonly snapshotId: string }) {
  if ((await snapshotById(tx, at.snapshotId)) !== undefined) return undefined;
  const cluster = await requireWithRetained(tx, at);
  const snapshot = await snapshotOfMember(tx, at.snapshotId);
  if (snapshot?.clusterId !== cluster.id) return undefined;
  const shard = snapshot.facts.sharded?.members.find(({ id }) => id === at.snapshotId);
  return shard && { snapshot, shard };
}

/** Throws `fault` if the path names the snapshot of a single shard. */
export async function rejectMember(
  tx: ReadTx,
  at: ClusterPath & { readonly snapshotId: string },
  fault: () => Error,
): Promise<void> {
  if ((await findShard(tx, at)) !== undefined) throw fault();
}

export function isFinished({ status }: Pick<SnapshotRow, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}
