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
import type { Position } from '../continuous/segment.ts';
import type { Frequency } from '../schedules/occurrences.ts';

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

/** An item of a backup policy, as it was when it asked for a snapshot. */
export interface SnapshotItem {
  readonly id: string;
  readonly frequency: Frequency;
  /** How long it wants the snapshot kept. */
  readonly days: number;
}

/** What is told of a snapshot and asked for by nobody. */
interface SnapshotFacts {
  readonly clusterName: string;
  readonly frequency: 'ondemand' | Frequency;
  readonly description?: string | undefined;
  readonly retention: Retention;
  /** Somebody has changed its retention alone: its items have no say any more. */
  readonly byHand?: boolean;
  /** Of one that a schedule asked for: the moment that is its date, ISO 8601, and the items that were due. */
  readonly due?: string;
  readonly items?: readonly SnapshotItem[];
  /** When it began to be taken, and when that ended, ISO 8601. */
  readonly started?: string;
  readonly ended?: string;
  /** Absent for replica sets. */
  readonly sharded?: {
    readonly members: readonly SnapshotMember[];
    readonly configServers: 'DEDICATED' | 'EMBEDDED';
  };
  /** That of the server, from the moment on when it is taken: 8.0.4. */
  readonly version?: string;
  readonly provider?: Provider;
  /** The disk of its cluster then; absent from old ones, and where nobody chooses one. */
  readonly diskGB?: number;
  readonly storageBytes: number;
  /** The master key of an encrypted snapshot, and whose that is. */
  readonly encryption?: { readonly masterKey: string; readonly provider: Provider };
  /** Chunks of it may be in the snapshot store. */
  readonly tried?: boolean;
  /** The last entry of the oplog that is in it; absent from old ones. */
  readonly position?: Position;
  /** Why it failed. */
  readonly problem?: string;
}

/** How long it is kept from the moment when it was complete. */
export interface Retention {
  readonly value: number;
  readonly unit: 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS';
}

export interface SnapshotRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  /** The engine host of its cluster: what reads and writes the snapshot store does so where that is reached. */
  readonly host: string;
  readonly status: SnapshotStatus;
  readonly type: 'onDemand' | 'scheduled' | 'fallback';
  /** When it was complete; of one that a schedule asked for, when it was due. */
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

/** Forgets all of a cluster; answers whether there were any. */
export async function deleteSnapshots(tx: Tx, clusterId: string): Promise<boolean> {
  const rows = tx.from<Tables>().deleteFrom('backup_snapshot').where('cluster_id', '=', clusterId);
  const { numDeletedRows } = await rows.executeTakeFirst();
  await addCount(tx, snapshotCount, clusterId, -Number(numDeletedRows));
  return numDeletedRows > 0n;
}

/** Forgets all of a cluster that is gone, but these; its own counts are gone already. */
export async function keepOnly(tx: Tx, clusterId: string, kept: readonly SnapshotRow[]): Promise<void> {
  const ids = kept.map(({ id }) => id);
  const all = tx.from<Tables>().deleteFrom('backup_snapshot').where('cluster_id', '=', clusterId);
  await (ids.length === 0 ? all : all.where('id', 'not in', ids)).execute();
  if (ids.length > 0) await addCount(tx, snapshotCount, clusterId, ids.length);
}

/** Where the snapshots of a project are kept, each place once. */
export function placesOfSnapshots(tx: ReadTx, groupId: string): Promise<{ id: string; host: string }[]> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select(['cluster_id as id', 'host']);
  return query.where('group_id', '=', groupId).distinct().execute();
}

export async function snapshotById(tx: ReadTx, id: string): Promise<SnapshotRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && readSnapshotRow(row);
}

/** Of one cluster, the oldest first. */
export async function pageOfSnapshots(tx: ReadTx, clusterId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').selectAll();
  const { rows, next } = await fetchPage(query.where('cluster_id', '=', clusterId), 'id', page);
  return { rows: rows.map(readSnapshotRow), next };
}

/** Every one of a cluster, the oldest first. */
export async function snapshotsOf(tx: ReadTx, clusterId: string): Promise<SnapshotRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').selectAll();
  return (await query.where('cluster_id', '=', clusterId).orderBy('id').execute()).map(readSnapshotRow);
}

export async function hasSnapshots(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  return (await query.where('cluster_id', '=', clusterId).limit(1).executeTakeFirst()) !== undefined;
}

/** The id of the newest one that is whole. */
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

/** The id of the one that was asked for last; empty where there is none. */
export async function newestSnapshot(tx: ReadTx, clusterId: string): Promise<string> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const newest = query.where('cluster_id', '=', clusterId).orderBy('id', 'desc').limit(1);
  return (await newest.executeTakeFirst())?.id ?? '';
}

/** Whether another one is being taken on its host. */
export async function isBesideOthers(
  tx: ReadTx,
  { id, host }: Pick<SnapshotRow, 'id' | 'host'>,
): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id').where('host', '=', host);
  const other = query.where('status', '=', 'inProgress').where('id', '<>', id).limit(1);
  return (await other.executeTakeFirst()) !== undefined;
}

/** The moment of the newest one that is whole. */
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

/** The oldest moment behind another one at which a snapshot was due by schedule that is not whole. */
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

/** Whether one that somebody asked for waits or is being taken. */
export async function hasUnfinished(tx: ReadTx, clusterId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_snapshot').select('id');
  const row = await query
    .where('cluster_id', '=', clusterId)
    .where('snapshot_type', '=', 'onDemand')
    .where('status', 'in', ['queued', 'inProgress'])
    .executeTakeFirst();
  return row !== undefined;
}
