import type { Selectable } from 'kysely';
import {
  addCount,
  codec,
  counter,
  fetchPage,
  type PageRange,
  type ReadTx,
  type Tx,
} from '../../../store/index.ts';
import type { Archive } from '../downloads/archives.ts';

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
  /** Present where somebody is to download the snapshot; there is no target then. */
  readonly download?: DownloadFacts;
  /** Present of a restore to a moment: the snapshot is the last one before it. */
  readonly pointInTime?: PointInTime;
  /** When the snapshot was complete, ISO 8601. */
  readonly timestamp: string;
  /** When it was finished, ISO 8601: of a scheduled one later than that; absent from old ones. */
  readonly snapshotFinished?: string | undefined;
  /** When somebody asked for it, ISO 8601; absent from old ones. */
  readonly requested?: string;
  /** The data is on its way. */
  readonly begun?: boolean;
  readonly targetGroupId?: string;
  readonly targetClusterName?: string;
  /** What was compared with the snapshot, and was the same: collections, and the documents in them. */
  readonly compared?: Compared;
  /** Why it failed. */
  readonly problem?: string;
}

/** A moment as somebody asked for it: a second with all that it has, or an entry of the oplog. */
export interface PointInTime {
  readonly seconds: number;
  readonly increment?: number;
}

export interface Compared {
  readonly collections: number;
  readonly documents: number;
}

interface DownloadFacts {
  /** How long its links are good. */
  readonly hours: number;
  /** The whole snapshot, also of a download of one shard's. */
  readonly source: string;
  /** Where the snapshot store is at hand. */
  readonly host: string;
  readonly clusterName: string;
  /** The replica sets of a sharded cluster: each has an archive of its own. */
  readonly members?: readonly string[];
  /** Of the snapshot of one shard. */
  readonly ofShard?: boolean;
  /** Once they are there, in the order of the members. */
  readonly archives?: readonly Archive[];
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly ended?: 'cancelled' | 'expired';
}

/** A restore into a cluster, or a download; it belongs to the cluster whose snapshot it brings back. */
export interface RestoreRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  /** Empty of a download. */
  readonly targetId: string;
  /** When it came to its end, good or bad; a download that is ready has not yet. */
  readonly finished: Date | undefined;
  readonly facts: RestoreFacts;
}

/** Restores of the snapshots of a cluster. */
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
  await addCount(tx, restoreCount, row.clusterId, 1);
}

/** Counts those of a cluster that is gone, and its counts with it, while its backups are kept. */
export async function recountRestores(tx: Tx, clusterId: string): Promise<void> {
  const query = tx
    .from<Tables>()
    .selectFrom('backup_restore')
    .select(({ fn }) => fn.countAll().as('count'));
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirstOrThrow();
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

/** Of the snapshots of one cluster, the oldest first. */
export async function pageOfRestores(tx: ReadTx, clusterId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll();
  const { rows, next } = await fetchPage(query.where('cluster_id', '=', clusterId), 'id', page);
  return { rows: rows.map(readRestoreRow), next };
}

/** Whether one into this cluster is not over. */
export async function isBeingRestored(tx: ReadTx, targetId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('id');
  const row = await query.where('target_id', '=', targetId).where('finished', 'is', null).executeTakeFirst();
  return row !== undefined;
}

/** Whether one of the snapshots of this cluster is not over. */
export async function hasOpenRestore(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('id');
  const open = query.where('cluster_id', '=', clusterId).where('finished', 'is', null);
  return (await open.where('target_id', '<>', '').executeTakeFirst()) !== undefined;
}

/** When the last restore into this cluster ended. */
export async function lastRestored(tx: ReadTx, targetId: string): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_restore').select('finished');
  const last = query.where('target_id', '=', targetId).where('finished', 'is not', null);
  return codec.optionalDate.read(
    (await last.orderBy('finished', 'desc').limit(1).executeTakeFirst())?.finished ?? null,
  );
}

/** Downloads of a project that are not over. */
export async function openDownloads(tx: ReadTx, groupId: string): Promise<RestoreRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_restore').selectAll();
  const rows = await query
    .where('target_id', '=', '')
    .where('finished', 'is', null)
    .where('group_id', '=', groupId)
    .execute();
  return rows.map(readRestoreRow);
}
