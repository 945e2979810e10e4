import type { Selectable } from 'kysely';
import type { ReadTx, Tx } from '../../../store/index.ts';

interface Tables {
  backup_copy: { snapshot_id: string; region: string; cluster_id: string; status: string };
  /** Regions that may contain objects of a cluster, even after its copies were removed. */
  backup_copy_region: { cluster_id: string; region: string };
}

type CopyStatus = 'queued' | 'inProgress' | 'completed' | 'failed';

/** A copy of a snapshot in a region such as `AWS/EU_WEST_1`. The copy is deleted with its snapshot. */
export interface CopyRow {
  readonly snapshotId: string;
  readonly region: string;
  readonly clusterId: string;
  readonly status: CopyStatus;
}

function readCopyRow(row: Selectable<Tables['backup_copy']>): CopyRow {
  return {
    snapshotId: row.snapshot_id,
    region: row.region,
    clusterId: row.cluster_id,
    status: row.status as CopyStatus,
  };
}

/** Inserts a copy, and records that the region may contain objects of the cluster. */
export async function insertCopy(tx: Tx, { snapshotId, region, clusterId, status }: CopyRow): Promise<void> {
  const row = { snapshot_id: snapshotId, region, cluster_id: clusterId, status };
  await tx.from<Tables>().insertInto('backup_copy').values(row).execute();
  await tx
    .from<Tables>()
    .insertInto('backup_copy_region')
    .values({ cluster_id: clusterId, region })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function setCopyStatus(tx: Tx, copy: CopyRow, status: CopyStatus): Promise<void> {
  const rows = tx.from<Tables>().updateTable('backup_copy').set({ status });
  await rows.where('snapshot_id', '=', copy.snapshotId).where('region', '=', copy.region).execute();
}

export async function copyOf(tx: ReadTx, snapshotId: string, region: string): Promise<CopyRow | undefined> {
  const rows = tx.from<Tables>().selectFrom('backup_copy').selectAll();
  const row = await rows
    .where('snapshot_id', '=', snapshotId)
    .where('region', '=', region)
    .executeTakeFirst();
  return row && readCopyRow(row);
}

export async function copiesOf(tx: ReadTx, snapshotIds: readonly string[]): Promise<CopyRow[]> {
  if (snapshotIds.length === 0) return [];
  const rows = tx.from<Tables>().selectFrom('backup_copy').selectAll();
  return (
    await rows
      .where('snapshot_id', 'in', [...snapshotIds])
      .orderBy('region')
      .execute()
  ).map(readCopyRow);
}

/** Returns the copies of a cluster's snapshots that are queued or in progress. */
export async function pendingCopies(tx: ReadTx, clusterId: string): Promise<CopyRow[]> {
  const rows = tx.from<Tables>().selectFrom('backup_copy').selectAll().where('cluster_id', '=', clusterId);
  return (await rows.where('status', 'in', ['queued', 'inProgress']).execute()).map(readCopyRow);
}

/** Returns the regions with a completed copy, by snapshot id; snapshots without copies are omitted. */
export async function regionsOf(
  tx: ReadTx,
  snapshotIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const regions = new Map<string, string[]>();
  for (const { snapshotId, region, status } of await copiesOf(tx, snapshotIds)) {
    if (status !== 'completed') continue;
    const name = region.slice(region.indexOf('/') + 1);
    regions.set(snapshotId, [...(regions.get(snapshotId) ?? []), name]);
  }
  return regions;
}

/** Returns the copies of a cluster in a region. */
export async function copiesIn(tx: ReadTx, clusterId: string, region: string): Promise<CopyRow[]> {
  const rows = tx.from<Tables>().selectFrom('backup_copy').selectAll();
  return (await rows.where('cluster_id', '=', clusterId).where('region', '=', region).execute()).map(
    readCopyRow,
  );
}

/** Deletes the copies of a cluster in a region. */
export async function deleteCopies(tx: Tx, clusterId: string, region: string): Promise<void> {
  const rows = tx.from<Tables>().deleteFrom('backup_copy');
  await rows.where('cluster_id', '=', clusterId).where('region', '=', region).execute();
}

/** Returns the regions that may contain objects of a cluster. */
export async function copyRegions(tx: ReadTx, clusterId: string): Promise<string[]> {
  const rows = tx.from<Tables>().selectFrom('backup_copy_region').select('region');
  const found = await rows.where('cluster_id', '=', clusterId).orderBy('region').execute();
  return found.map(({ region }) => region);
}

/** Records that a region no longer contains objects of a cluster. */
export async function forgetRegion(tx: Tx, clusterId: string, region: string): Promise<void> {
  const rows = tx.from<Tables>().deleteFrom('backup_copy_region');
  await rows.where('cluster_id', '=', clusterId).where('region', '=', region).execute();
}
