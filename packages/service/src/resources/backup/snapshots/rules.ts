import { LAST_MOMENT } from '@portolan/foundation/clock';
import { faults } from '@portolan/foundation/faults';
import type { ReadTx } from '../../../store/index.ts';
import { type ClusterModel, isSharded, requireCluster, requireWithRetained } from '../../clusters/index.ts';
import { type Retention, type SnapshotRow, snapshotById, snapshotsOf } from './rows.ts';

export const snapshotFaults = faults({
  BACKUP_CONFIG_NOT_FOUND: [404, 'The cluster {0} in group {1} has no cloud backup.'],
  SNAPSHOT_NOT_FOUND: [404, 'No snapshot with the id {0} of cluster {1} exists.'],
  UNFINISHED_ON_DEMAND_SNAPSHOT: [400, 'A snapshot of cluster {0} is still being taken.'],
  CANNOT_DELETE_IN_PROGRESS_SNAPSHOT: [400, 'A snapshot that is not finished cannot be deleted.'],
  CANNOT_MODIFY_IN_PROGRESS_SNAPSHOT_RETENTION: [
    400,
    'How long a snapshot is kept can be changed once it is finished.',
  ],
  BACKUP_SNAPSHOT_RETENTION_VALUE_INVALID: [400, 'A snapshot is kept for one unit of time or more.'],
  INCORRECT_BACKUP_API_ENDPOINT: [400, 'Backups of this kind of cluster are at {0}.'],
  CANNOT_DELETE_FROM_CLUSTER_SNAPSHOT: [403, 'A snapshot of one shard cannot be deleted alone.'],
  CANNOT_MODIFY_CLUSTER_SNAPSHOT: [403, 'A snapshot of one shard cannot be changed alone.'],
});

export type Unit = Retention['unit'];

/** Days of each unit, as policies compare them (reference 3.2). */
const unitDays = { DAYS: 1, WEEKS: 7, MONTHS: 31, YEARS: 366 } as const;
const DAY_MS = 86_400_000;

/** Where on-demand snapshots stay without a word about it: neither contract nor reference says how long. */
export const DEFAULT_RETENTION_DAYS = 7;

/** Twelve months are a year: the default schedule keeps its monthly snapshots for no longer than its yearly ones. */
export function daysOf({ value, unit }: Retention): number {
  if (unit !== 'MONTHS') return value * unitDays[unit];
  return Math.floor(value / 12) * unitDays.YEARS + (value % 12) * unitDays.MONTHS;
}

export function endOf(from: Date, retention: Retention): Date {
  return new Date(Math.min(from.getTime() + daysOf(retention) * DAY_MS, LAST_MOMENT));
}

interface Place {
  readonly groupId: string;
  readonly clusterName: string;
}

/** The cluster of a path; throws where it has no cloud backup. */
export async function requireBackedUp(tx: ReadTx, at: Place) {
  return assertBackedUp(await requireCluster(tx, at), at);
}

/** The cluster that a snapshot is of, also when it is gone; throws where it has no cloud backup. */
export async function requireSource(tx: ReadTx, at: Place & { readonly snapshotId?: string }) {
  const row = at.snapshotId === undefined ? undefined : await snapshotById(tx, at.snapshotId);
  return assertBackedUp(await requireWithRetained(tx, at, row?.clusterId), at);
}

export function isBackedUp({ spec }: Pick<ClusterModel, 'spec'>): boolean {
  return spec.settings.providerBackupEnabled === true;
}

function assertBackedUp(cluster: ClusterModel, at: Place): ClusterModel {
  if (!isBackedUp(cluster)) throw snapshotFaults.BACKUP_CONFIG_NOT_FOUND(at.clusterName, at.groupId);
  return cluster;
}

/** Which of the two kinds of operations asks. */
export type SnapshotKind = 'replicaSet' | 'shardedCluster';

export function kindOf({ spec }: ClusterModel): SnapshotKind {
  return isSharded(spec) ? 'shardedCluster' : 'replicaSet';
}

/** The cluster of a path that operations of this kind serve, also when it is gone; `id` where several had its name. */
export async function requireOfKind(tx: ReadTx, at: Place, kind: SnapshotKind, id?: string) {
  const cluster = await requireWithRetained(tx, at, id);
  const own = kindOf(cluster);
  if (own !== kind) throw snapshotFaults.INCORRECT_BACKUP_API_ENDPOINT(pathOf(at, own));
  return cluster;
}

function pathOf({ groupId, clusterName }: Place, kind: SnapshotKind): string {
  const snapshots = `/groups/${groupId}/clusters/${clusterName}/backup/snapshots`;
  return kind === 'replicaSet' ? snapshots : `${snapshots}/shardedClusters`;
}

/** The snapshot of a path; throws where the cluster has none of that id, or is of the other kind. */
export async function requireSnapshot(
  tx: ReadTx,
  at: Place & { readonly snapshotId: string },
  kind: SnapshotKind,
): Promise<SnapshotRow> {
  const row = await snapshotById(tx, at.snapshotId);
  const cluster = await requireOfKind(tx, at, kind, row?.clusterId);
  if (row?.clusterId !== cluster.id) throw snapshotFaults.SNAPSHOT_NOT_FOUND(at.snapshotId, at.clusterName);
  return row;
}

/** Where the id of a path is that of one shard's snapshot: the whole one, and the shard. */
export async function findShard(tx: ReadTx, at: Place & { readonly snapshotId: string }) {
  // The id of a whole snapshot is no member's: only for another one all of them are looked through.
  if ((await snapshotById(tx, at.snapshotId)) !== undefined) return undefined;
  const cluster = await requireWithRetained(tx, at);
  for (const snapshot of await snapshotsOf(tx, cluster.id)) {
    const shard = snapshot.facts.sharded?.members.find(({ id }) => id === at.snapshotId);
    if (shard !== undefined) return { snapshot, shard };
  }
  return undefined;
}

/** Throws `fault` where the id of a path is that of one shard's snapshot. */
export async function refuseMember(
  tx: ReadTx,
  at: Place & { readonly snapshotId: string },
  fault: () => Error,
): Promise<void> {
  if ((await findShard(tx, at)) !== undefined) throw fault();
}

export function isFinished({ status }: Pick<SnapshotRow, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}
