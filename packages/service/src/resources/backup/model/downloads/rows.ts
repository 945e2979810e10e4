import type { Selectable } from 'kysely';
import { addCount, codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import { type Compared, type ComparedColumns, readCompared, writeCompared } from '../compared.ts';
import { restoreCount } from '../restore-count.ts';

interface Tables {
  backup_download: ComparedColumns & {
    id: string;
    group_id: string;
    cluster_id: string;
    cluster_name: string;
    host: string;
    snapshot_id: string;
    source_id: string;
    snapshot_created: number;
    snapshot_finished: number;
    members: string | null;
    of_shard: number;
    hours: number;
    requested: number;
    begun: number;
    archives: string | null;
    expires: number | null;
    finished: number | null;
    ended: string | null;
    problem: string | null;
  };
}

export interface Archive {
  readonly bytes: number;
  /** The SHA-256 of the archive in hexadecimal. */
  readonly hash: string;
  /** The SHA-256 of each part, in order; absent from archives of earlier versions. */
  readonly parts?: readonly string[];
}

/** A download of a snapshot. It is listed with the restores of its cluster. */
export interface DownloadRow {
  readonly kind: 'download';
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly clusterName: string;
  /** The engine host of the snapshot, where the tasks run. */
  readonly host: string;
  /** The id of the requested snapshot. */
  readonly snapshotId: string;
  /** The id of the whole snapshot, even if only one shard is downloaded. */
  readonly source: string;
  /** The time that the snapshot represents. */
  readonly timestamp: Date;
  /** When the snapshot was finished. For a scheduled snapshot, this is later than `timestamp`. */
  readonly snapshotFinished: Date;
  /** Sharded clusters only: the replica sets. Each has one archive. */
  readonly members?: readonly string[] | undefined;
  /** Whether only one shard is downloaded. */
  readonly ofShard: boolean;
  /** The validity of the links in hours. */
  readonly hours: number;
  readonly requested: Date;
  /** Whether the task has started. */
  readonly begun: boolean;
  /** The archives in the order of `members`; absent until they are ready. */
  readonly archives?: readonly Archive[] | undefined;
  /** When the links expire; absent until the archives are ready. */
  readonly expires?: Date | undefined;
  readonly compared?: Compared | undefined;
  /** When the download ended, successfully or not. A download whose archives are ready has not ended. */
  readonly finished: Date | undefined;
  readonly ended?: 'cancelled' | 'expired' | undefined;
  /** Why the download failed. */
  readonly problem?: string | undefined;
}

const members = codec.json<readonly string[]>();
const archives = codec.json<readonly Archive[]>();

function readDownloadRow(row: Selectable<Tables['backup_download']>): DownloadRow {
  return {
    kind: 'download',
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    host: row.host,
    snapshotId: row.snapshot_id,
    source: row.source_id,
    timestamp: codec.date.read(row.snapshot_created),
    snapshotFinished: codec.date.read(row.snapshot_finished),
    members: row.members === null ? undefined : members.read(row.members),
    ofShard: codec.boolean.read(row.of_shard),
    hours: row.hours,
    requested: codec.date.read(row.requested),
    begun: codec.boolean.read(row.begun),
    archives: row.archives === null ? undefined : archives.read(row.archives),
    expires: codec.optionalDate.read(row.expires),
    compared: readCompared(row),
    finished: codec.optionalDate.read(row.finished),
    ended: (row.ended as DownloadRow['ended'] | null) ?? undefined,
    problem: row.problem ?? undefined,
  };
}

/** Returns the columns of a row that can change after the row is inserted. */
const changingColumns = (row: DownloadRow) => ({
  begun: codec.boolean.write(row.begun),
  archives: row.archives === undefined ? null : archives.write(row.archives),
  expires: codec.optionalDate.write(row.expires),
  ...writeCompared(row.compared),
  finished: codec.optionalDate.write(row.finished),
  ended: row.ended ?? null,
  problem: row.problem ?? null,
});

function writeDownloadRow(row: DownloadRow): Tables['backup_download'] {
  return {
    ...changingColumns(row),
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    cluster_name: row.clusterName,
    host: row.host,
    snapshot_id: row.snapshotId,
    source_id: row.source,
    snapshot_created: codec.date.write(row.timestamp),
    snapshot_finished: codec.date.write(row.snapshotFinished),
    members: row.members === undefined ? null : members.write(row.members),
    of_shard: codec.boolean.write(row.ofShard),
    hours: row.hours,
    requested: codec.date.write(row.requested),
  };
}

export async function insertDownload(tx: Tx, row: DownloadRow): Promise<void> {
  await tx.from<Tables>().insertInto('backup_download').values(writeDownloadRow(row)).execute();
  await addCount(tx, restoreCount, row.clusterId, 1);
}

export async function updateDownload(tx: Tx, row: DownloadRow): Promise<void> {
  const query = tx.from<Tables>().updateTable('backup_download').set(changingColumns(row));
  await query.where('id', '=', row.id).execute();
}

export async function downloadById(tx: ReadTx, id: string): Promise<DownloadRow | undefined> {
  const [row] = await downloadsById(tx, [id]);
  return row;
}

/** Returns the downloads among the jobs with these ids. */
export async function downloadsById(tx: ReadTx, ids: readonly string[]): Promise<DownloadRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_download').selectAll().where('id', 'in', ids);
  return (await query.execute()).map(readDownloadRow);
}

/** Returns the downloads of a project that have not ended. */
export async function openDownloads(tx: ReadTx, groupId: string): Promise<DownloadRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_download').selectAll();
  const open = query.where('group_id', '=', groupId).where('finished', 'is', null);
  return (await open.execute()).map(readDownloadRow);
}

/** Returns the downloads of a cluster's snapshots that have not ended. */
export async function openDownloadsOf(tx: ReadTx, clusterId: string): Promise<DownloadRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_download').selectAll();
  const open = query.where('cluster_id', '=', clusterId).where('finished', 'is', null);
  return (await open.execute()).map(readDownloadRow);
}
