import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { LogExportState } from './states.ts';

interface Tables {
  log_export: {
    group_id: string;
    revision: string;
    bucket_name: string;
    role_id: string;
    prefix_path: string;
    state: string;
    created: number;
  };
  log_export_mark: { cluster_id: string; exported: number; begun: string | null };
}

export interface LogExportRow {
  readonly groupId: string;
  /** Changes when the bucket, the role or the prefix changes. A task for another revision does not change the state. */
  readonly revision: string;
  readonly bucketName: string;
  readonly roleId: string;
  readonly prefixPath: string;
  readonly state: LogExportState;
  readonly created: Date;
}

function readRow(row: Selectable<Tables['log_export']>): LogExportRow {
  return {
    groupId: row.group_id,
    revision: row.revision,
    bucketName: row.bucket_name,
    roleId: row.role_id,
    prefixPath: row.prefix_path,
    state: row.state as LogExportState,
    created: codec.date.read(row.created),
  };
}

export async function findLogExport(tx: ReadTx, groupId: string): Promise<LogExportRow | undefined> {
  const query = tx.from<Tables>().selectFrom('log_export').selectAll();
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return row && readRow(row);
}

/** Returns the log exports of all projects. */
export async function allLogExports(tx: ReadTx): Promise<LogExportRow[]> {
  const query = tx.from<Tables>().selectFrom('log_export').selectAll();
  return (await query.orderBy('group_id').execute()).map(readRow);
}

export async function saveLogExport(tx: Tx, row: LogExportRow): Promise<void> {
  const columns = {
    revision: row.revision,
    bucket_name: row.bucketName,
    role_id: row.roleId,
    prefix_path: row.prefixPath,
    state: row.state,
    created: codec.date.write(row.created),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('log_export')
    .values({ group_id: row.groupId, ...columns });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet(columns)).execute();
}

export async function deleteLogExport(tx: Tx, groupId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('log_export').where('group_id', '=', groupId).execute();
}

/** A period whose export has begun. A repeated export has the same period, and skips the complete files. */
export interface BegunPeriod {
  /** End of the period, in ISO 8601. The end itself does not belong to the period. */
  readonly until: string;
  /** The revision of the configuration with which the files were written. */
  readonly revision: string;
  /** The logs whose files are complete, as `<member>/<log>`. */
  readonly written: readonly string[];
}

interface ExportMark {
  /** End of the period whose log lines have been exported. */
  readonly exported: Date;
  /** The next period, which begins at `exported`. Present if its export has begun and has not succeeded yet. */
  readonly begun?: BegunPeriod | undefined;
}

const begunPeriod = codec.json<BegunPeriod>();

/** Returns how far the logs of a cluster have been exported; undefined before the first export. */
export async function exportMark(tx: ReadTx, clusterId: string): Promise<ExportMark | undefined> {
  const query = tx.from<Tables>().selectFrom('log_export_mark').select(['exported', 'begun']);
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  if (row === undefined) return undefined;
  const begun = row.begun === null ? undefined : begunPeriod.read(row.begun);
  return { exported: codec.date.read(row.exported), begun };
}

export async function saveMark(tx: Tx, clusterId: string, mark: ExportMark): Promise<void> {
  const columns = {
    exported: codec.date.write(mark.exported),
    begun: mark.begun === undefined ? null : begunPeriod.write(mark.begun),
  };
  const insert = tx
    .from<Tables>()
    .insertInto('log_export_mark')
    .values({ cluster_id: clusterId, ...columns });
  await insert.onConflict((of) => of.column('cluster_id').doUpdateSet(columns)).execute();
}
