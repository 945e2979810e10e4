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
    cluster_name: string;
    snapshot_id: string;
    snapshot_started: number;
    bucket_id: string;
    state: string;
    created: number;
    finished: number | null;
    prefix: string;
    by_schedule: number;
    exported: number;
    total: number;
    error_code: string | null;
    error_message: string | null;
    org_id: string;
    org_name: string;
    group_name: string;
    labels: string;
    custom_data: string;
  };
  /** The jobs that export the individual shards of a sharded cluster. */
  backup_export_component: { id: string; export_id: string; place: number; replica_set_name: string };
}

type ExportState = 'Queued' | 'InProgress' | 'Successful' | 'Failed' | 'Cancelled';

const activeStates: readonly ExportState[] = ['Queued', 'InProgress'];

interface Label {
  readonly key: string;
  readonly value: string;
}

/** The origin of the data. It is written to the file `.complete`. */
interface Origin {
  readonly orgId: string;
  readonly orgName: string;
  readonly groupName: string;
  readonly labels: readonly Label[];
  /** When the snapshot started. */
  readonly snapshotDate: Date;
}

/** An export job. It belongs to the cluster of its snapshot. */
export interface ExportRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly clusterName: string;
  readonly snapshotId: string;
  readonly bucketId: string;
  readonly origin: Origin;
  readonly state: ExportState;
  readonly created: Date;
  readonly finished: Date | undefined;
  /** The key prefix of all exported files, without leading and trailing slashes. */
  readonly prefix: string;
  readonly customData: readonly Label[];
  /** Whether the backup schedule started the export. */
  readonly bySchedule: boolean;
  /** The number of collections that are exported so far, and the number of all collections. */
  readonly exported: number;
  readonly total: number;
  /** Sharded clusters only: the job of each shard. */
  readonly components?: readonly Component[];
  /** Why the export failed. */
  readonly reason?: { readonly errorCode: string; readonly message: string };
}

interface Component {
  readonly exportId: string;
  readonly replicaSetName: string;
}

/** Counts the export jobs of a cluster. */
export const exportCount = counter('cluster', 'exports');

const labels = codec.json<readonly Label[]>();

export function isActive({ state }: Pick<ExportRow, 'state'>): boolean {
  return activeStates.includes(state);
}

function readExportRow(row: Selectable<Tables['backup_export']>): Omit<ExportRow, 'components'> {
  const { error_code: errorCode, error_message: message } = row;
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    snapshotId: row.snapshot_id,
    bucketId: row.bucket_id,
    origin: {
      orgId: row.org_id,
      orgName: row.org_name,
      groupName: row.group_name,
      labels: labels.read(row.labels),
      snapshotDate: codec.date.read(row.snapshot_started),
    },
    state: row.state as ExportState,
    created: codec.date.read(row.created),
    finished: codec.optionalDate.read(row.finished),
    prefix: row.prefix,
    customData: labels.read(row.custom_data),
    bySchedule: codec.boolean.read(row.by_schedule),
    exported: row.exported,
    total: row.total,
    ...(errorCode === null || message === null ? {} : { reason: { errorCode, message } }),
  };
}

/** Returns the columns of a row that can change after the row is inserted. */
const changingColumns = ({ state, finished, exported, total, reason }: ExportRow) => ({
  state,
  finished: codec.optionalDate.write(finished),
  exported,
  total,
  error_code: reason?.errorCode ?? null,
  error_message: reason?.message ?? null,
});

function writeExportRow(row: ExportRow): Tables['backup_export'] {
  const { origin } = row;
  return {
    ...changingColumns(row),
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    cluster_name: row.clusterName,
    snapshot_id: row.snapshotId,
    snapshot_started: codec.date.write(origin.snapshotDate),
    bucket_id: row.bucketId,
    created: codec.date.write(row.created),
    prefix: row.prefix,
    by_schedule: codec.boolean.write(row.bySchedule),
    org_id: origin.orgId,
    org_name: origin.orgName,
    group_name: origin.groupName,
    labels: labels.write(origin.labels),
    custom_data: labels.write(row.customData),
  };
}

const jobs = (tx: ReadTx) => tx.from<Tables>().selectFrom('backup_export').selectAll();

/** Reads jobs with their components. */
async function readExports(
  tx: ReadTx,
  rows: ReadonlyArray<Selectable<Tables['backup_export']>>,
): Promise<ExportRow[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const query = tx.from<Tables>().selectFrom('backup_export_component').selectAll();
  const found = await query.where('export_id', 'in', ids).orderBy('place').execute();
  const byJob = Map.groupBy(found, ({ export_id }) => export_id);
  return rows.map((row) => {
    const components = byJob
      .get(row.id)
      ?.map(({ id, replica_set_name }) => ({ exportId: id, replicaSetName: replica_set_name }));
    return { ...readExportRow(row), ...(components && { components }) };
  });
}

export async function insertExport(tx: Tx, row: ExportRow): Promise<void> {
  await tx.from<Tables>().insertInto('backup_export').values(writeExportRow(row)).execute();
  const components = row.components?.map(({ exportId, replicaSetName }, place) => {
    return { id: exportId, export_id: row.id, place, replica_set_name: replicaSetName };
  });
  if (components !== undefined)
    await tx.from<Tables>().insertInto('backup_export_component').values(components).execute();
  await addCount(tx, exportCount, row.clusterId, 1);
}

/**
 * Recounts the exports of a removed cluster whose backups are retained, since the counters of the cluster were deleted
 * with the cluster.
 */
export async function recountExports(tx: Tx, clusterId: string): Promise<void> {
  const query = tx
    .from<Tables>()
    .selectFrom('backup_export')
    .select(({ fn }) => fn.countAll().as('count'));
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirstOrThrow();
  await addCount(tx, exportCount, clusterId, Number(row.count));
}

export async function updateExport(tx: Tx, row: ExportRow): Promise<void> {
  const query = tx.from<Tables>().updateTable('backup_export').set(changingColumns(row));
  await query.where('id', '=', row.id).execute();
}

export async function exportById(tx: ReadTx, id: string): Promise<ExportRow | undefined> {
  const [row] = await readExports(tx, await jobs(tx).where('id', '=', id).execute());
  return row;
}

/** Returns the export jobs of a cluster, oldest first. */
export async function pageOfExports(tx: ReadTx, clusterId: string, page: PageRange) {
  const { rows, next } = await fetchPage(jobs(tx).where('cluster_id', '=', clusterId), 'id', page);
  return { rows: await readExports(tx, rows), next };
}

/** Returns the export jobs of a snapshot, oldest first. */
export async function exportsOfSnapshot(tx: ReadTx, snapshotId: string): Promise<ExportRow[]> {
  return readExports(tx, await jobs(tx).where('snapshot_id', '=', snapshotId).orderBy('id').execute());
}

/** Returns the export job of a sharded cluster that contains a component with this id. */
export async function exportOfComponent(tx: ReadTx, id: string): Promise<ExportRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_export_component').select('export_id');
  const component = await query.where('id', '=', id).executeTakeFirst();
  return component && exportById(tx, component.export_id);
}

/** Returns the active export jobs of a cluster. */
export async function activeExports(tx: ReadTx, clusterId: string): Promise<ExportRow[]> {
  const own = jobs(tx).where('cluster_id', '=', clusterId);
  return readExports(tx, await own.where('state', 'in', activeStates).execute());
}

/** Whether an export to this bucket is active. */
export async function hasActiveExports(tx: ReadTx, bucketId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_export').select('id').where('bucket_id', '=', bucketId);
  return (await query.where('state', 'in', activeStates).limit(1).executeTakeFirst()) !== undefined;
}
