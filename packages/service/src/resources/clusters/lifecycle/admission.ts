import type { Tx } from '../../../store/index.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { clusterWorkStarting } from './hooks.ts';

/**
 * Throws if a cluster is being deleted or is paused, or if other work, such as a restore, must not be disturbed. Every
 * request that starts work on the nodes or the data of a cluster, such as the build of an index, must call this
 * function.
 */
export async function admitWork(tx: Tx, cluster: ClusterModel): Promise<void> {
  const { name, paused, state } = cluster;
  if (state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(name);
  if (paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(name);
  await tx.publish(clusterWorkStarting, { cluster });
}
