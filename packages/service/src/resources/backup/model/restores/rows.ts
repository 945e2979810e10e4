import type { Selectable } from 'kysely';
import {
  addCount,
  codec,
  counter,
  fetchPage,
  type PageRange,
  type ReadTx,
  type Tx,
} from '../../../../store/index.ts';

interface Tables {
  backup_restore: {
    id: string;
    group_id: string;
    cluster_id: string;
    target_id: string;
    finished: number | null;
    document: string;
  };
}

interface RestoreFacts {
  readonly snapshotId: string;
  /** Downloads only; a download has no target. */
  readonly download?: DownloadFacts;
  /** Point-in-time restores only; the snapshot is the last one before it. */
  readonly pointInTime?: PointInTime;
  /** The time that the snapshot represents, ISO 8601. */
  readonly timestamp: string;
  /** When the snapshot was finished, ISO 8601; later than `timestamp` if scheduled. Absent from old jobs. */
  readonly snapshotFinished?: string | undefined;
  /** When the restore was requested, ISO 8601; absent from old jobs. */
  readonly requested?: string;
  /** The number of ended archive runs of the source that it waits for, if the clock stands still. */
  readonly awaitedRun?: number;
  /** Whether the task has started. */
  readonly begun?: boolean;
  /** The name of the cluster of the snapshot; absent from old jobs. */
  readonly sourceName?: string;
  readonly targetGroupId?: string;
  readonly targetClusterName?: string;
  /** What was compared with the snapshot and found identical. */
  readonly compared?: Compared;
  /** Why it failed. */
  readonly problem?: string;
}

/** A requested point in time: a whole second, or an oplog entry. */
export interface PointInTime {
  readonly seconds: number;
  readonly increment?: number;
}

export interface Compared {
  readonly collections: number;
  readonly documents: number;
}

/** A stored archive. */
export interface Archive {
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  /** The SHA-256 of each part, in order; absent from old archives. */
  readonly parts?: readonly string[];
}

interface DownloadFacts {
  /** The validity of the links in hours. */
  readonly hours: number;
  /** The id of the whole snapshot, also for a download of one shard. */
  readonly source: string;
  /** The engine host of the snapshot, where the tasks run. */
  readonly host: string;
  readonly clusterName: string;
  /** Sharded clusters only: the replica sets, which have one archive each. */
  readonly members?: readonly string[];
  /** Whether only one shard is downloaded. */
  readonly ofShard?: boolean;
  /** The archives in member order, once they are ready. */
  readonly archives?: readonly Archive[];
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly ended?: 'cancelled' | 'expired';
}

/** A restore to a cluster, or a download. It is listed with the cluster of the snapshot and with the target. */
export interface RestoreRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  /** Empty for downloads. */
  readonly targetId: string;
  /** When the job ended, successfully or not; a download that is ready has not ended. */
  readonly finished: Date | undefined;
  readonly facts: RestoreFacts;
}

/** Restore jobs from and to a cluster. */
export const restoreCount = counter('cluster', 'restores');

const facts = codec.json<RestoreFacts>();

function readRestoreRow(row: Selectable<Tables['backup_restore']>): RestoreRow {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    targetId: row.target_id,
    finished: codec.optionalDate.read(row.finished),
    facts: facts.read(row.document),
  };
}

export async function insertRestore(tx: Tx, row: RestoreRow): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('backup_restore')
    .values({
      id: row.id,
      group_id: row.groupId,
      cluster_id: row.clusterId,
      target_id: row.targetId,
      finished: codec.optionalDate.write(row.finished),
      document: facts.write(row.facts),
    })
    .execute();
  for (const id of clustersOf(row)) await addCount(tx, restoreCount, id, 1);
}

/** The clusters whose lists contain a job: that of the snapshot, and the target. */
function clustersOf({ clusterId, targetId }: RestoreRow): ReadonlySet<string> {
  return new Set(targetId === '' ? [clusterId] : [clusterId, targetId]);
}

export function belongsTo(row: RestoreRow | undefined, clusterId: string): row is RestoreRow {
  return row !== undefined && clustersOf(row).has(clusterId);
}

/** Restores the counter of a removed cluster whose backups are retained; its counters were deleted with it. */
export async function recountRestores(tx: Tx, clusterId: string): Promise<void> {
  const query = tx
    .from<Tables>()
    .selectFrom('backup_restore')
    .select(({ fn }) => fn.countAll().as('count'));
  const row = await query
    .where((job) => job.or([job('cluster_id', '=', clusterId), job('target_id', '=', clusterId)]))
    .executeTakeFirstOrThrow();
  await addCount(tx, restoreCount, clusterId, Number(row.count));
}

export async function updateRestore(tx: Tx, row: RestoreRow): Promise<void> {
  const columns = { finished: codec.optionalDate.write(row.finished), document: facts.write(row.facts) };
  await tx.from<Tables>().updateTable('backup_restore').set(columns).where('id', '=', row.id).execute();
}

export async function restoreById(tx: ReadTx, id: string): Promise<RestoreRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && readRestoreRow(row);
}

/** The restore jobs from and to a cluster, oldest first. */
export async function pageOfRestores(tx: ReadTx, clusterId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll();
  const own = query.where((job) =>
    job.or([job('cluster_id', '=', clusterId), job('target_id', '=', clusterId)]),
  );
  const { rows, next } = await fetchPage(own, 'id', page);
  return { rows: rows.map(readRestoreRow), next };
}

/** The jobs of a cluster's snapshots that have not ended. */
export async function openJobs(tx: ReadTx, clusterId: string): Promise<RestoreRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll();
  const open = query.where('cluster_id', '=', clusterId).where('finished', 'is', null);
  return (await open.execute()).map(readRestoreRow);
}

/** Whether a restore to this cluster is in progress. */
export async function isBeingRestored(tx: ReadTx, targetId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('id');
  const row = await query.where('target_id', '=', targetId).where('finished', 'is', null).executeTakeFirst();
  return row !== undefined;
}

/** Whether a restore from a snapshot of this cluster is in progress; downloads do not count. */
export async function hasOpenRestore(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('id');
  const open = query.where('cluster_id', '=', clusterId).where('finished', 'is', null);
  return (await open.where('target_id', '<>', '').executeTakeFirst()) !== undefined;
}

/** When the last restore to this cluster ended. */
export async function lastRestored(tx: ReadTx, targetId: string): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('finished');
  const last = query.where('target_id', '=', targetId).where('finished', 'is not', null);
  return codec.optionalDate.read(
    (await last.orderBy('finished', 'desc').limit(1).executeTakeFirst())?.finished ?? null,
  );
}

/** The downloads of a project that have not ended. */
export async function openDownloads(tx: ReadTx, groupId: string): Promise<RestoreRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll();
  const rows = await query
    .where('target_id', '=', '')
    .where('finished', 'is', null)
    .where('group_id', '=', groupId)
    .execute();
  return rows.map(readRestoreRow);
}
