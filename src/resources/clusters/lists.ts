import type { PageRequest } from '../../api/paging.ts';
import { countOf, type ReadTx } from '../../store/index.ts';
import { groupCounters } from '../projects/index.ts';
import { families, type KindFamily } from './kinds.ts';
import type { ClusterModel } from './model.ts';
import { pageOfClusters } from './rows.ts';

/** One page of a project's clusters of a family, oldest first, each as `present` writes it. */
export async function listFamily<T>(
  tx: ReadTx,
  groupId: string,
  family: KindFamily,
  page: PageRequest,
  present: (cluster: ClusterModel) => T,
) {
  const { rows, next } = await pageOfClusters(tx, groupId, families[family], page);
  return {
    results: rows.map(present),
    next,
    totalCount: page.includeCount ? await countFamily(tx, groupId, family) : undefined,
  };
}

async function countFamily(tx: ReadTx, groupId: string, family: KindFamily): Promise<number> {
  let sum = 0;
  for (const kind of families[family]) sum += await countOf(tx, groupCounters(groupId), `clusters:${kind}`);
  return sum;
}
