import { countOf, type Page, type PageRequest, type ReadTx } from '../../../store/index.ts';
import { type JobRow, pageOfJobs } from '../model/jobs/rows.ts';
import { restoreCount } from '../model/restore-count.ts';

/** Returns a page of the restore jobs of a cluster. `present` converts a job to the response of the operation. */
export async function listRestores<T>(
  tx: ReadTx,
  clusterId: string,
  page: PageRequest,
  present: (row: JobRow) => T,
): Promise<Page<T>> {
  const { rows, next } = await pageOfJobs(tx, clusterId, page);
  const totalCount = page.includeCount ? await countOf(tx, restoreCount, clusterId) : undefined;
  return { results: rows.map(present), next, totalCount };
}
