import { countOf, type Page, type PageRequest, type ReadTx } from '../../../store/index.ts';
import { pageOfRestores, type RestoreRow, restoreCount } from '../model/restores/rows.ts';

/** A page of the restore jobs of a cluster; `present` depends on the kind of cluster. */
export async function listRestores<T>(
  tx: ReadTx,
  clusterId: string,
  page: PageRequest,
  present: (row: RestoreRow) => T,
): Promise<Page<T>> {
  const { rows, next } = await pageOfRestores(tx, clusterId, page);
  const totalCount = page.includeCount ? await countOf(tx, restoreCount, clusterId) : undefined;
  return { results: rows.map(present), next, totalCount };
}
