import { addCount, fetchPage, type PageRange, type ReadTx, type Tx } from '../../../../store/index.ts';
import { type DownloadRow, downloadById, downloadsById } from '../downloads/rows.ts';
import { restoreCount } from '../restore-count.ts';
import { type RestoreRow, restoreById, restoresById } from '../restores/rows.ts';

/** This file reads restores and downloads as one list, which the API calls the restore jobs of a cluster. */

interface Tables {
  backup_restore: { id: string; cluster_id: string; target_id: string };
  backup_download: { id: string; cluster_id: string };
}

export type JobRow = RestoreRow | DownloadRow;

/** Whether a job belongs to a cluster's list. */
export function belongsTo(row: JobRow | undefined, clusterId: string): row is JobRow {
  return row?.clusterId === clusterId || (row?.kind === 'restore' && row.targetId === clusterId);
}

export async function jobById(tx: ReadTx, id: string): Promise<JobRow | undefined> {
  return (await restoreById(tx, id)) ?? downloadById(tx, id);
}

/** Returns the ids of the restores from and to a cluster, and of the downloads of its snapshots. */
function idsOf(tx: ReadTx, clusterId: string) {
  const db = tx.from<Tables>();
  const restores = db
    .selectFrom('backup_restore')
    .select('id')
    .where((job) => job.or([job('cluster_id', '=', clusterId), job('target_id', '=', clusterId)]));
  const downloads = db.selectFrom('backup_download').select('id').where('cluster_id', '=', clusterId);
  return db.selectFrom(restores.unionAll(downloads).as('job'));
}

/** Returns the jobs of a cluster, oldest first. */
export async function pageOfJobs(tx: ReadTx, clusterId: string, page: PageRange) {
  const { rows, next } = await fetchPage(idsOf(tx, clusterId).select('id'), 'id', page);
  const ids = rows.map(({ id }) => id);
  const found = ids.length === 0 ? [] : [...(await restoresById(tx, ids)), ...(await downloadsById(tx, ids))];
  const byId = new Map(found.map((row) => [row.id, row]));
  return { rows: ids.flatMap((id) => byId.get(id) ?? []), next };
}

/**
 * Recounts the jobs of a removed cluster whose backups are retained, since the counters of the cluster were deleted
 * with the cluster.
 */
export async function recountJobs(tx: Tx, clusterId: string): Promise<void> {
  const query = idsOf(tx, clusterId).select(({ fn }) => fn.countAll().as('count'));
  const { count } = await query.executeTakeFirstOrThrow();
  await addCount(tx, restoreCount, clusterId, Number(count));
}
