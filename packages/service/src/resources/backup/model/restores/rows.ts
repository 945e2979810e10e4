import type { Selectable } from 'kysely';
import { addCount, codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import { type Compared, type ComparedColumns, readCompared, writeCompared } from '../compared.ts';
import { restoreCount } from '../restore-count.ts';

interface Tables {
  backup_restore: ComparedColumns & {
    id: string;
    group_id: string;
    cluster_id: string;
    source_name: string | null;
    target_id: string;
    target_group_id: string;
    target_name: string;
    snapshot_id: string;
    snapshot_created: number;
    snapshot_finished: number;
    point_seconds: number | null;
    point_increment: number | null;
    requested: number;
    begun: number;
    awaited_run: number | null;
    finished: number | null;
    problem: string | null;
  };
}

/** A requested point in time: the end of a whole second, or an oplog entry. */
export interface PointInTime {
  readonly seconds: number;
  readonly increment?: number;
}

/** A restore to a cluster. Both the list of the snapshot's cluster and the list of the target contain it. */
export interface RestoreRow {
  readonly kind: 'restore';
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  /** The name of the snapshot's cluster; absent from jobs of earlier versions. */
  readonly sourceName?: string | undefined;
  readonly targetId: string;
  readonly targetGroupId: string;
  readonly targetClusterName: string;
  readonly snapshotId: string;
  /** The time that the snapshot represents. */
  readonly timestamp: Date;
  /** When the snapshot was finished. For a scheduled snapshot, this is later than `timestamp`. */
  readonly snapshotFinished: Date;
  /** The point in time to restore, if any. The snapshot is then the last one before this point. */
  readonly pointInTime?: PointInTime | undefined;
  readonly requested: Date;
  /** Whether the task has started. */
  readonly begun: boolean;
  /**
   * Number of archive runs of the source that must have ended before the restore continues. Set only if service time is
   * frozen.
   */
  readonly awaitedRun?: number | undefined;
  /** When the job ended, successfully or not. */
  readonly finished: Date | undefined;
  readonly compared?: Compared | undefined;
  /** Why the restore failed. */
  readonly problem?: string | undefined;
}

function readRestoreRow(row: Selectable<Tables['backup_restore']>): RestoreRow {
  return {
    kind: 'restore',
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    sourceName: row.source_name ?? undefined,
    targetId: row.target_id,
    targetGroupId: row.target_group_id,
    targetClusterName: row.target_name,
    snapshotId: row.snapshot_id,
    timestamp: codec.date.read(row.snapshot_created),
    snapshotFinished: codec.date.read(row.snapshot_finished),
    pointInTime: readPoint(row.point_seconds, row.point_increment),
    requested: codec.date.read(row.requested),
    begun: codec.boolean.read(row.begun),
    awaitedRun: row.awaited_run ?? undefined,
    finished: codec.optionalDate.read(row.finished),
    compared: readCompared(row),
    problem: row.problem ?? undefined,
  };
}

function readPoint(seconds: number | null, increment: number | null): PointInTime | undefined {
  if (seconds === null) return undefined;
  return increment === null ? { seconds } : { seconds, increment };
}

/** Returns the columns of a row that can change after the row is inserted. */
const changingColumns = ({ begun, awaitedRun, finished, compared, problem }: RestoreRow) => ({
  begun: codec.boolean.write(begun),
  awaited_run: awaitedRun ?? null,
  finished: codec.optionalDate.write(finished),
  ...writeCompared(compared),
  problem: problem ?? null,
});

function writeRestoreRow(row: RestoreRow): Tables['backup_restore'] {
  return {
    ...changingColumns(row),
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    source_name: row.sourceName ?? null,
    target_id: row.targetId,
    target_group_id: row.targetGroupId,
    target_name: row.targetClusterName,
    snapshot_id: row.snapshotId,
    snapshot_created: codec.date.write(row.timestamp),
    snapshot_finished: codec.date.write(row.snapshotFinished),
    point_seconds: row.pointInTime?.seconds ?? null,
    point_increment: row.pointInTime?.increment ?? null,
    requested: codec.date.write(row.requested),
  };
}

export async function insertRestore(tx: Tx, row: RestoreRow): Promise<void> {
  await tx.from<Tables>().insertInto('backup_restore').values(writeRestoreRow(row)).execute();
  for (const id of new Set([row.clusterId, row.targetId])) await addCount(tx, restoreCount, id, 1);
}

export async function updateRestore(tx: Tx, row: RestoreRow): Promise<void> {
  const query = tx.from<Tables>().updateTable('backup_restore').set(changingColumns(row));
  await query.where('id', '=', row.id).execute();
}

export async function restoreById(tx: ReadTx, id: string): Promise<RestoreRow | undefined> {
  const [row] = await restoresById(tx, [id]);
  return row;
}

/** Returns the restores among the jobs with these ids. */
export async function restoresById(tx: ReadTx, ids: readonly string[]): Promise<RestoreRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll().where('id', 'in', ids);
  return (await query.execute()).map(readRestoreRow);
}

/** Returns the restores of a cluster's snapshots that have not ended. */
export async function openRestores(tx: ReadTx, clusterId: string): Promise<RestoreRow[]> {
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

/** Whether a restore from a snapshot of this cluster is in progress. */
export async function hasOpenRestore(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('id');
  const open = query.where('cluster_id', '=', clusterId).where('finished', 'is', null);
  return (await open.executeTakeFirst()) !== undefined;
}

/** When the last restore to this cluster ended. */
export async function lastRestored(tx: ReadTx, targetId: string): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('finished');
  const last = query.where('target_id', '=', targetId).where('finished', 'is not', null);
  return codec.optionalDate.read(
    (await last.orderBy('finished', 'desc').limit(1).executeTakeFirst())?.finished ?? null,
  );
}
