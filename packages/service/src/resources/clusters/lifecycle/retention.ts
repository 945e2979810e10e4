import { dropCounts, type Tx } from '../../../store/index.ts';
import { recountRetained } from '../lists.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { deleteRetained, insertRetained, retainedById } from '../rows.ts';

/*
 * A cluster that is gone while others keep backups of it: lists show it to those who ask for such, and its name leads to
 * what is kept.
 */

/** Called when the cluster is gone. */
export async function retainCluster(tx: Tx, cluster: ClusterModel): Promise<void> {
  await insertRetained(tx, cluster);
  await recountRetained(tx, cluster, 1);
}

/** Nothing is kept of it any more; a cluster that is not gone stays as it is. */
export async function endRetention(tx: Tx, id: string): Promise<void> {
  const cluster = await retainedById(tx, id);
  if (cluster === undefined) return;
  await deleteRetained(tx, id);
  await recountRetained(tx, cluster, -1);
  await dropCounts(tx, { kind: 'cluster', id });
}
