import type { Tx } from '../../../store/index.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { APPLY, nextGeneration } from './changes.ts';
import { clusterChanging } from './hooks.ts';
import { enqueueWork } from './work.ts';

/**
 * This file is for work of other families that makes a cluster unavailable to its users, such as a restore.
 * The work has the same queue as changes of the cluster. It calls `beginExclusiveWork` at its beginning and
 * `endExclusiveWork` at its end.
 */

/**
 * Sets the cluster to UPDATING. Throws if its state does not allow it, its engine cannot restore, or another
 * family rejects the change.
 */
export async function beginExclusiveWork(tx: Tx, cluster: ClusterModel): Promise<void> {
  assertCan(cluster, 'restores');
  const updating = nextGeneration(cluster);
  await tx.publish(clusterChanging, { kind: 'restore', cluster: updating });
  await updateCluster(tx, updating);
}

/** Enqueues the task that applies the cluster's row again, which ends the state UPDATING. */
export async function endExclusiveWork(tx: Tx, id: string): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster && cluster.state !== 'DELETING') await enqueueWork(tx, APPLY, cluster, {});
}
