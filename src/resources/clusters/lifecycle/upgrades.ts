import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import type { ClusterModel, ClusterSpec } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { kindOf } from '../model/kinds.ts';
import { changeCluster } from './changes.ts';

/** Brings a shared size or a flex cluster to other terms: the deployment grows, its data and its name stay. */
export async function upgradeCluster(
  tx: Tx,
  cluster: ClusterModel,
  spec: ClusterSpec,
  actor: Actor,
): Promise<ClusterModel> {
  if (!cluster.spec.tenant) throw clusterFaults.CLUSTER_ALREADY_DEDICATED(cluster.name);
  if (spec.tenant && kindOf(spec) === kindOf(cluster.spec)) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION('the upgrade leads to a larger kind of cluster');
  }
  const zones = spec.zones.map((zone, i) => ({ ...zone, id: cluster.spec.zones[i]?.id ?? zone.id }));
  return changeCluster(tx, cluster, { spec: { ...spec, zones } }, actor);
}
