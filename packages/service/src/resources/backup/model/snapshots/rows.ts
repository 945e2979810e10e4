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
import type { Frequency } from '../occurrences.ts';
import type { Position } from '../oplog/segment.ts';
import type { Retention } from '../retention.ts';

interface Tables {
  backup_snapshot: {
    id: string;
    group_id: string;
    cluster_id: string;
    host: string;
    status: string;
    snapshot_type: string;
    created: number | null;
    expires: number;
    document: string;
  };
}

export type Provider = 'AWS' | 'AZURE' | 'GCP';

type SnapshotStatus = 'queued' | 'inProgress' | 'completed' | 'failed';

/** A shard or the config servers in a snapshot of a sharded cluster. */
interface SnapshotMember {
  readonly id: string;
  readonly replicaSetName: string;
  readonly provider: Provider;
}

/** A backup policy item as it was when it requested a snapshot. */
export interface SnapshotItem {
  readonly id: string;
  readonly frequency: Frequency;
  /** Its retention. */
  readonly days: number;
}

/** Properties that no query selects by. */
interface SnapshotFacts {
  readonly clusterName: string;
  readonly frequency: 'ondemand' | Frequency;
  readonly description?: string | undefined;
  readonly retention: Retention;
  /** Whether its retention was changed individually, so that its items no longer apply. */
  readonly byHand?: boolean;
  /** Scheduled snapshots only: the due time, ISO 8601, and the items that were due. */
  readonly due?: string;
  readonly items?: readonly SnapshotItem[];
  /** When the task started and finished, ISO 8601. */
  readonly started?: string;
  readonly ended?: string;
  /** Absent for replica sets. */
  readonly sharded?: {
    readonly members: readonly SnapshotMember[];
    readonly configServers: 'DEDICATED' | 'EMBEDDED';
  };
  /** The server version when the snapshot was taken: 8.0.4. */
  readonly version?: string;
  readonly provider?: Provider;
  /** The disk size of the cluster; absent from old snapshots and for tenant clusters. */
  readonly diskGB?: number;
  readonly storageBytes: number;
  /** The master key of an encrypted snapshot, and its provider. */
  readonly encryption?: { readonly masterKey: string; readonly provider: Provider };
  /** Whether the snapshot store may hold chunks of it. */
  readonly tried?: boolean;
  /** The last oplog entry that it contains; absent from old snapshots. */
  readonly position?: Position;
  /** Why it failed. */
  readonly problem?: string;
}

export interface SnapshotRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  /** The engine host of its cluster, where tasks on the snapshot run. */
  readonly host: string;
  readonly status: SnapshotStatus;
  readonly type: 'onDemand' | 'scheduled' | 'fallback';
  /** When it was completed; for a scheduled one when it was due. */
  readonly created: Date | undefined;
  readonly expires: Date;
  readonly facts: SnapshotFacts;
}

/** Snapshots of a cluster. */
export const snapshotCount = counter('cluster', 'snapshots');

const facts = codec.json<SnapshotFacts>();

function readSnapshotRow(row: Selectable<Tables['backup_snapshot']>): SnapshotRow {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    host: row.host,
    status: row.status as SnapshotStatus,
    type: row.snapshot_type as SnapshotRow['type'],
    created: codec.optionalDate.read(row.created),
    expires: codec.date.read(row.expires),
    facts: facts.read(row.document),
  };
}

function writeSnapshotRow(row: SnapshotRow): Tables['backup_snapshot'] {
  return {
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    host: row.host,
    status: row.status,
    snapshot_type: row.type,
    created: codec.optionalDate.write(row.created),
    expires: codec.date.write(row.expires),
    document: facts.write(row.facts),
  };
}

export async function insertSnapshot(tx: Tx, row: SnapshotRow): Promise<void> {
  await tx.from<Tables>().insertInto('backup_snapshot').values(writeSnapshotRow(row)).execute();
  await addCount(tx, snapshotCount, row.clusterId, 1);
}

export async function updateSnapshot(tx: Tx, row: SnapshotRow): Promise<void> {
  const { id, ...columns } = writeSnapshotRow(row);
  await tx.from<Tables>().updateTable('backup_snapshot').set(columns).where('id', '=', id).execute();
}

export async function deleteSnapshot(tx: Tx, { id, clusterId }: SnapshotRow): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_snapshot').where('id', '=', id).execute();
  await addCount(tx, snapshotCount, clusterId, -1);
}

/** Deletes all snapshots of a cluster. Returns whether there were any. */
export async function deleteSnapshots(tx: Tx, clusterId: string): Promise<boolean> {
  const rows = tx.from<Tables>().deleteFrom('backup_snapshot').where('cluster_id', '=', clusterId);
  const { numDeletedRows } = await rows.executeTakeFirst();
  await addCount(tx, snapshotCount, clusterId, -Number(numDeletedRows));
  return numDeletedRows > 0n;
}

/** Deletes all other snapshots of a removed cluster, and restores its counter, which was deleted with it. */
export async function keepOnly(tx: Tx, clusterId: string, kept: readonly SnapshotRow[]): Promise<void> {
  const ids = kept.map(({ id }) => id);
  const all = tx.from<Tables>().deleteFrom('backup_snapshot').where('cluster_id', '=', clusterId);
  await (ids.length === 0 ? all : all.where('id', 'not in', ids)).execute();
  if (ids.length > 0) await addCount(tx, snapshotCount, clusterId, ids.length);
}

export async function snapshotById(tx: ReadTx, id: string): Promise<SnapshotRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && readSnapshotRow(row);
}

/** The snapshots of a cluster, oldest first. */
export async function pageOfSnapshots(tx: ReadTx, clusterId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').selectAll();
  const { rows, next } = await fetchPage(query.where('cluster_id', '=', clusterId), 'id', page);
  return { rows: rows.map(readSnapshotRow), next };
}

/** All snapshots of a cluster, oldest first. */
export async function snapshotsOf(tx: ReadTx, clusterId: string): Promise<SnapshotRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').selectAll();
  return (await query.where('cluster_id', '=', clusterId).orderBy('id').execute()).map(readSnapshotRow);
}

export async function hasSnapshots(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  return (await query.where('cluster_id', '=', clusterId).limit(1).executeTakeFirst()) !== undefined;
}

/** The id of the newest completed snapshot. */
export async function lastCompleted(tx: ReadTx, clusterId: string): Promise<string | undefined> {
  const query = tx
    .from<Tables>()
    .selectFrom('backup_snapshot')
    .select('id')
    .where('cluster_id', '=', clusterId);
  const newest = query.where('status', '=', 'completed').orderBy('id', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.id;
}

export async function hasSnapshotsInProject(tx: ReadTx, groupId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  return (await query.where('group_id', '=', groupId).limit(1).executeTakeFirst()) !== undefined;
}

/** The id of the newest snapshot in any state; empty if there is none. */
export async function newestSnapshot(tx: ReadTx, clusterId: string): Promise<string> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const newest = query.where('cluster_id', '=', clusterId).orderBy('id', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.id ?? '';
}

/** Whether another snapshot is being taken on the same host. */
export async function isConcurrent(
  tx: ReadTx,
  { id, host }: Pick<SnapshotRow, 'id' | 'host'>,
): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id').where('host', '=', host);
  const other = query.where('status', '=', 'inProgress').where('id', '<>', id).limit(1);
  return (await other.executeTakeFirst()) !== undefined;
}

/** The time of the newest completed snapshot. */
export async function newestMoment(tx: ReadTx, clusterId: string): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('created');
  const row = await query
    .where('cluster_id', '=', clusterId)
    .where('status', '=', 'completed')
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst();
  return codec.optionalDate.read(row?.created ?? null);
}

/** The oldest due time after `after` of a scheduled snapshot that is not completed. */
export async function unfinishedSince(
  tx: ReadTx,
  clusterId: string,
  after: Date | undefined,
): Promise<Date | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('document');
  const rows = await query
    .where('cluster_id', '=', clusterId)
    .where('snapshot_type', '=', 'scheduled')
    .where('status', '<>', 'completed')
    .execute();
  const moments = rows
    .flatMap(({ document }) => facts.read(document).due ?? [])
    .map((due) => new Date(due))
    .filter((due) => after === undefined || due > after);
  return moments.reduce<Date | undefined>(
    (first, due) => (first === undefined || due < first ? due : first),
    undefined,
  );
}

/** Whether an on-demand snapshot is queued or in progress. */
export async function hasUnfinished(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const row = await query
    .where('cluster_id', '=', clusterId)
    .where('snapshot_type', '=', 'onDemand')
    .where('status', 'in', ['queued', 'inProgress'])
    .executeTakeFirst();
  return row !== undefined;
}
