import type { Selectable } from 'kysely';
import { codec, fetchPage, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';
import type { Criteria, Expiration, Partition, ProcessRegion, Schedule } from './schema.ts';
import type { ArchiveState } from './states.ts';

interface Tables {
  online_archive: {
    id: string;
    group_id: string;
    cluster_id: string;
    db_name: string;
    coll_name: string;
    settings: string;
    state: string;
    seen: number;
    failure: string | null;
  };
}

/** What a caller can change. */
export interface ArchiveSettings {
  readonly criteria: Criteria;
  readonly expiration?: Expiration | undefined;
  readonly partitions: readonly Partition[];
  readonly region: ProcessRegion;
  readonly schedule: Schedule;
}

export interface ArchiveRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly database: string;
  readonly collection: string;
  readonly settings: ArchiveSettings;
  readonly state: ArchiveState;
  /** Whether a run has found the collection. */
  readonly seen: boolean;
  /** Why the last run failed; undefined if it succeeded. */
  readonly failure?: string | undefined;
}

const settings = codec.json<ArchiveSettings>();

function readRow(row: Selectable<Tables['online_archive']>): ArchiveRow {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    database: row.db_name,
    collection: row.coll_name,
    settings: settings.read(row.settings),
    state: row.state as ArchiveState,
    seen: codec.boolean.read(row.seen),
    ...(row.failure === null ? {} : { failure: row.failure }),
  };
}

export async function saveArchive(tx: Tx, row: ArchiveRow): Promise<void> {
  const columns = {
    settings: settings.write(row.settings),
    state: row.state,
    seen: codec.boolean.write(row.seen),
    failure: row.failure ?? null,
  };
  const names = { db_name: row.database, coll_name: row.collection };
  const keys = { id: row.id, group_id: row.groupId, cluster_id: row.clusterId };
  const insert = tx
    .from<Tables>()
    .insertInto('online_archive')
    .values({ ...keys, ...names, ...columns });
  await insert.onConflict((of) => of.column('id').doUpdateSet(columns)).execute();
}

export async function deleteArchive(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('online_archive').where('id', '=', id).execute();
}

export async function archiveById(tx: ReadTx, id: string): Promise<ArchiveRow | undefined> {
  const row = await tx
    .from<Tables>()
    .selectFrom('online_archive')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst();
  return row && readRow(row);
}

/** Returns the archives of a cluster, oldest first. */
export async function archivesOf(tx: ReadTx, clusterId: string): Promise<ArchiveRow[]> {
  const query = tx.from<Tables>().selectFrom('online_archive').selectAll();
  return (await query.where('cluster_id', '=', clusterId).orderBy('id').execute()).map(readRow);
}

export async function pageOfArchives(tx: ReadTx, clusterId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('online_archive').selectAll();
  const { rows, next } = await fetchPage(query.where('cluster_id', '=', clusterId), 'id', page);
  return { rows: rows.map(readRow), next };
}

/**
 * Returns the next archives of all projects, in the order of their ids. Omits paused archives. Includes orphaned
 * archives, because their collections may be created again.
 */
export async function runningArchives(tx: ReadTx, after: string, limit: number): Promise<ArchiveRow[]> {
  const query = tx.from<Tables>().selectFrom('online_archive').selectAll();
  const running = query.where('state', 'in', ['PENDING', 'ACTIVE', 'ORPHANED']).where('id', '>', after);
  return (await running.orderBy('id').limit(limit).execute()).map(readRow);
}
