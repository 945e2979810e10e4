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
  backup_export: {
    id: string;
    group_id: string;
    cluster_id: string;
    snapshot_id: string;
    bucket_id: string;
    active: number;
    document: string;
  };
}

type ExportState = 'Queued' | 'InProgress' | 'Successful' | 'Failed' | 'Cancelled';

interface Label {
  readonly key: string;
  readonly value: string;
}

interface Origin {
  readonly orgId: string;
  readonly orgName: string;
  readonly groupName: string;
  readonly labels: readonly Label[];
  /** When the snapshot started, ISO 8601. */
  readonly snapshotDate: string;
}

interface ExportFacts {
  readonly state: ExportState;
  readonly clusterName: string;
  /** ISO 8601. */
  readonly created: string;
  readonly finished?: string;
  /** The key prefix of all exported files, without leading and trailing slashes. */
  readonly prefix: string;
  readonly customData: readonly Label[];
  /** The origin of the data, for the file `.complete`. */
  readonly origin: Origin;
  /** Whether the backup schedule requested the export. */
  readonly bySchedule?: true;
  /** The number of exported collections, and of all collections. */
  readonly exported: number;
  readonly total: number;
  /** Sharded clusters only: the job of each shard. */
  readonly components?: ReadonlyArray<{ readonly exportId: string; readonly replicaSetName: string }>;
  /** Why it failed. */
  readonly reason?: { readonly errorCode: string; readonly message: string };
}

/** An export job. It belongs to the cluster of its snapshot. */
export interface ExportRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly snapshotId: string;
  readonly bucketId: string;
  readonly facts: ExportFacts;
}

/** Export jobs of a cluster. */
export const exportCount = counter('cluster', 'exports');

const facts = codec.json<ExportFacts>();

export function isActive({ facts: { state } }: Pick<ExportRow, 'facts'>): boolean {
  return state === 'Queued' || state === 'InProgress';
}

function readExportRow(row: Selectable<Tables['backup_export']>): ExportRow {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    snapshotId: row.snapshot_id,
    bucketId: row.bucket_id,
    facts: facts.read(row.document),
  };
}

const columnsOf = (row: ExportRow) => ({
  active: isActive(row) ? 1 : 0,
  document: facts.write(row.facts),
});

export async function insertExport(tx: Tx, row: ExportRow): Promise<void> {
  const { id, groupId, clusterId, snapshotId, bucketId } = row;
  const place = { group_id: groupId, cluster_id: clusterId, snapshot_id: snapshotId, bucket_id: bucketId };
  const values = { id, ...place, ...columnsOf(row) };
  await tx.from<Tables>().insertInto('backup_export').values(values).execute();
  await addCount(tx, exportCount, clusterId, 1);
}

/** Restores the counter of a removed cluster whose backups are retained; its counters were deleted with it. */
export async function recountExports(tx: Tx, clusterId: string): Promise<void> {
  const query = tx
    .from<Tables>()
    .selectFrom('backup_export')
    .select(({ fn }) => fn.countAll().as('count'));
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirstOrThrow();
  await addCount(tx, exportCount, clusterId, Number(row.count));
}

export async function updateExport(tx: Tx, row: ExportRow): Promise<void> {
  const query = tx.from<Tables>().updateTable('backup_export').set(columnsOf(row));
  await query.where('id', '=', row.id).execute();
}

export async function exportById(tx: ReadTx, id: string): Promise<ExportRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_export').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && readExportRow(row);
}

/** The export jobs of a cluster, oldest first. */
export async function pageOfExports(tx: ReadTx, clusterId: string, page: PageRange) {
  const query = tx.from<Tables>().selectFrom('backup_export').selectAll();
  const { rows, next } = await fetchPage(query.where('cluster_id', '=', clusterId), 'id', page);
  return { rows: rows.map(readExportRow), next };
}

/** The export jobs of a snapshot, oldest first. */
export async function exportsOfSnapshot(tx: ReadTx, snapshotId: string): Promise<ExportRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_export').selectAll();
  const rows = await query.where('snapshot_id', '=', snapshotId).orderBy('id').execute();
  return rows.map(readExportRow);
}

/** The export job of a sharded cluster that has a component with this id. */
export async function exportOfComponent(
  tx: ReadTx,
  clusterId: string,
  id: string,
): Promise<ExportRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_export').selectAll();
  const rows = await query.where('cluster_id', '=', clusterId).where('document', 'like', `%${id}%`).execute();
  return rows
    .map(readExportRow)
    .find(({ facts: { components } }) => components?.some(({ exportId }) => exportId === id));
}

/** The active export jobs of a cluster. */
export async function activeExports(tx: ReadTx, clusterId: string): Promise<ExportRow[]> {
  const query = tx.from<Tables>().selectFrom('backup_export').selectAll();
  const active = query.where('cluster_id', '=', clusterId).where('active', '=', 1);
  return (await active.execute()).map(readExportRow);
}

/** Whether an export to this bucket is active. */
export async function hasActiveExports(tx: ReadTx, bucketId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_export').select('id');
  const row = await query.where('bucket_id', '=', bucketId).where('active', '=', 1).executeTakeFirst();
  return row !== undefined;
}
