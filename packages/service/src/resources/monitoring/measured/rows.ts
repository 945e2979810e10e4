import type { ReadTx, Tx } from '../../../store/index.ts';
import { readSample, type Sample, writeSample } from './stored.ts';

interface Tables {
  measurement: { cluster_id: string; member_id: string; seconds: number; start: number; document: string };
  measured: { cluster_id: string; member_id: string; sample: string };
}

/** Returns the `memberId` of rows about searches on one member. */
export const searchesOver = (memberId: string): string => `search:${memberId}`;

/**
 * The measurements of one interval. They are about a member, about the searches on a member, or, if `memberId` is
 * empty, about the databases of the cluster.
 */
export interface MeasurementRow {
  readonly clusterId: string;
  readonly memberId: string;
  /** Length of the interval. */
  readonly seconds: number;
  /** Service time, milliseconds since 1970. */
  readonly start: number;
  readonly document: string;
}

const rowOf = (row: Tables['measurement']): MeasurementRow => ({
  clusterId: row.cluster_id,
  memberId: row.member_id,
  seconds: row.seconds,
  start: row.start,
  document: row.document,
});

/** Returns the last counted sample of each member. */
export async function lastSamples(tx: ReadTx, clusterId: string): Promise<Map<string, Sample>> {
  const query = tx.from<Tables>().selectFrom('measured').selectAll().where('cluster_id', '=', clusterId);
  return new Map((await query.execute()).map((row) => [row.member_id, readSample(row.sample)]));
}

export async function saveSamples(
  tx: Tx,
  clusterId: string,
  samples: ReadonlyMap<string, Sample>,
): Promise<void> {
  const values = [...samples].map(([memberId, last]) => ({
    cluster_id: clusterId,
    member_id: memberId,
    sample: writeSample(last),
  }));
  if (values.length === 0) return;
  const insert = tx.from<Tables>().insertInto('measured').values(values);
  await insert
    .onConflict((of) =>
      of.columns(['cluster_id', 'member_id']).doUpdateSet(({ ref }) => ({ sample: ref('excluded.sample') })),
    )
    .execute();
}

/** Returns all rows of a cluster that begin at one of these times. */
export async function measurementsAt(
  tx: ReadTx,
  clusterId: string,
  starts: readonly number[],
): Promise<MeasurementRow[]> {
  const query = tx.from<Tables>().selectFrom('measurement').selectAll().where('cluster_id', '=', clusterId);
  return (await query.where('start', 'in', starts).execute()).map(rowOf);
}

export async function saveMeasurements(tx: Tx, rows: readonly MeasurementRow[]): Promise<void> {
  const values = rows.map(({ clusterId, memberId, ...row }) => ({
    cluster_id: clusterId,
    member_id: memberId,
    ...row,
  }));
  if (values.length === 0) return;
  const insert = tx.from<Tables>().insertInto('measurement').values(values);
  await insert
    .onConflict((of) =>
      of
        .columns(['cluster_id', 'member_id', 'seconds', 'start'])
        .doUpdateSet(({ ref }) => ({ document: ref('excluded.document') })),
    )
    .execute();
}

/** Returns the rows that begin from `start` (inclusive) to `end` (exclusive), oldest first. */
export async function measurementsIn(
  tx: ReadTx,
  of: Pick<MeasurementRow, 'clusterId' | 'memberId' | 'seconds'>,
  { start, end }: { readonly start: number; readonly end: number },
): Promise<MeasurementRow[]> {
  const query = tx.from<Tables>().selectFrom('measurement').selectAll();
  const wanted = query
    .where('cluster_id', '=', of.clusterId)
    .where('member_id', '=', of.memberId)
    .where('seconds', '=', of.seconds)
    .where('start', '>=', start)
    .where('start', '<', end);
  return (await wanted.orderBy('start').execute()).map(rowOf);
}

/** Returns the newest row with this length. */
export async function newestMeasurement(
  tx: ReadTx,
  of: Pick<MeasurementRow, 'clusterId' | 'memberId' | 'seconds'>,
): Promise<MeasurementRow | undefined> {
  const query = tx.from<Tables>().selectFrom('measurement').selectAll();
  const row = await query
    .where('cluster_id', '=', of.clusterId)
    .where('member_id', '=', of.memberId)
    .where('seconds', '=', of.seconds)
    .orderBy('start', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && rowOf(row);
}

export async function deleteMeasurements(tx: Tx, seconds: number, before: number): Promise<void> {
  const query = tx.from<Tables>().deleteFrom('measurement').where('seconds', '=', seconds);
  await query.where('start', '<', before).execute();
}
