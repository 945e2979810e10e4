import { subscribe, type Tx } from '../../store/index.ts';
import { type ClusterModel, clusterChanging, clustersIn, clusterUnpinned } from '../clusters/index.ts';
import { reschedule } from './changes.ts';

/** Reschedules maintenance, since a change of a cluster may make an upgrade due or unnecessary. */
export const followClusters = subscribe(clusterChanging, async (tx, change) => {
  const { cluster } = change;
  // Skip new clusters, which already run the requested version, and failovers, which do not change the version.
  if (change.kind === 'create' || change.kind === 'failover') return;
  const others = await othersOf(tx, cluster);
  await reschedule(tx, cluster.groupId, change.kind === 'remove' ? others : [...others, cluster]);
});

export const followPins = subscribe(clusterUnpinned, async (tx, { cluster }) =>
  reschedule(tx, cluster.groupId, [...(await othersOf(tx, cluster)), cluster]),
);

async function othersOf(tx: Tx, { id, groupId }: ClusterModel): Promise<ClusterModel[]> {
  return (await clustersIn(tx, groupId)).filter((other) => other.id !== id);
}
