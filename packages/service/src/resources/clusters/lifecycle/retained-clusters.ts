import { dropCounts, type Tx } from '../../../store/index.ts';
import { recountRetained } from '../lists.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { deleteRetained, insertRetained, retainedById } from '../rows.ts';

/**
 * This file is about deleted clusters whose backups are retained. Lists of clusters can include such a
 * cluster, and paths with its name lead to its backups.
 */

/** Marks a cluster as retained; called after its deletion. */
export async function retainCluster(tx: Tx, cluster: ClusterModel): Promise<void> {
  await insertRetained(tx, cluster);
  await recountRetained(tx, cluster, 1);
}

/** Ends the retention of a deleted cluster that has no backups left. Does nothing for an existing cluster. */
export async function endRetention(tx: Tx, id: string): Promise<void> {
  const cluster = await retainedById(tx, id);
  if (cluster === undefined) return;
  await deleteRetained(tx, id);
  await recountRetained(tx, cluster, -1);
  await dropCounts(tx, { kind: 'cluster', id });
}
