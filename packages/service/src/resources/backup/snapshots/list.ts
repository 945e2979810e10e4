import { countOf, type Page, type PageRequest, type ReadTx } from '../../../store/index.ts';
import { regionsOf } from '../copies/rows.ts';
import { pageOfSnapshots, type SnapshotRow, snapshotCount } from '../model/snapshots/rows.ts';

/** Returns a page of the snapshots of a cluster. `present` converts a snapshot to the response of the operation. */
export async function listSnapshots<T>(
  tx: ReadTx,
  clusterId: string,
  page: PageRequest,
  present: (row: SnapshotRow, copyRegions: readonly string[]) => T,
): Promise<Page<T>> {
  const { rows, next } = await pageOfSnapshots(tx, clusterId, page);
  const totalCount = page.includeCount ? await countOf(tx, snapshotCount, clusterId) : undefined;
  const regions = await regionsOf(
    tx,
    rows.map(({ id }) => id),
  );
  return { results: rows.map((row) => present(row, regions.get(row.id) ?? [])), next, totalCount };
}
