import type { Tx } from '../../../store/index.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { APPLY, nextGeneration } from './changes.ts';
import { clusterChanging } from './hooks.ts';
import { enqueueWork } from './work.ts';

/*
 * Exclusive work of other families, during which a cluster is unavailable to its users. It is queued like the cluster's
 * own work, between these two calls.
 */

/** Sets the cluster to UPDATING. Throws if its state does not allow it. */
export async function beginExclusiveWork(tx: Tx, cluster: ClusterModel): Promise<void> {
  assertCan(cluster, 'restores');
  const updating = nextGeneration(cluster);
  await tx.publish(clusterChanging, { kind: 'restore', cluster: updating });
  await updateCluster(tx, updating);
}

/** Applies the row of the cluster again, which ends the state. */
export async function endExclusiveWork(tx: Tx, id: string): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster && cluster.state !== 'DELETING') await enqueueWork(tx, APPLY, cluster, {});
}
