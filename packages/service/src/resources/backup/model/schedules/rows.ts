import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import type { Schedule } from './policy.ts';

interface Tables {
  backup_schedule: {
    cluster_id: string;
    group_id: string;
    next_snapshot: number | null;
    document: string;
  };
}

export interface ScheduleRow {
  readonly clusterId: string;
  readonly groupId: string;
  /** The next due time; undefined if the schedule has no items. */
  readonly next: Date | undefined;
  readonly schedule: Schedule;
}

const document = codec.json<Schedule>();

function readScheduleRow(row: Selectable<Tables['backup_schedule']>): ScheduleRow {
  return {
    clusterId: row.cluster_id,
    groupId: row.group_id,
    next: codec.optionalDate.read(row.next_snapshot),
    schedule: document.read(row.document),
  };
}

/** Inserts or replaces the row. */
export async function putSchedule(
  tx: Tx,
  { clusterId, groupId, next, schedule }: ScheduleRow,
): Promise<void> {
  const columns = { next_snapshot: codec.optionalDate.write(next), document: document.write(schedule) };
  await tx
    .from<Tables>()
    .insertInto('backup_schedule')
    .values({ cluster_id: clusterId, group_id: groupId, ...columns })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(columns))
    .execute();
}

export async function deleteSchedule(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_schedule').where('cluster_id', '=', clusterId).execute();
}

export async function scheduleOf(tx: ReadTx, clusterId: string): Promise<ScheduleRow | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_schedule').selectAll();
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && readScheduleRow(row);
}

/** Whether the schedule of any cluster of the project exports to this bucket. */
export async function exportsBySchedule(tx: ReadTx, groupId: string, bucketId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_schedule').select('document');
  const rows = await query.where('group_id', '=', groupId).execute();
  return rows.some((row) => {
    const { autoExport } = document.read(row.document);
    return autoExport?.enabled === true && autoExport.bucketId === bucketId;
  });
}
