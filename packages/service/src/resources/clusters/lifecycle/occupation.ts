import type { Tx } from '../../../store/index.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { APPLY, nextGeneration } from './changes.ts';
import { clusterChanging } from './hooks.ts';
import { enqueueWork } from './work.ts';

/*
 * Work of other families that takes a cluster away from its users for a while. It stands in the line of the cluster's
 * own work, between these two.
 */

/** The cluster is UPDATING from here on; throws in a state that does not allow it. */
export async function occupy(tx: Tx, cluster: ClusterModel): Promise<void> {
  const occupied = nextGeneration(cluster);
  await tx.publish(clusterChanging, { kind: 'occupied', cluster: occupied });
  await updateCluster(tx, occupied);
}

/** Lets the cluster be brought to what its row asks for, which ends the state. */
export async function release(tx: Tx, id: string): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster && cluster.state !== 'DELETING') await enqueueWork(tx, APPLY, cluster, {});
}
