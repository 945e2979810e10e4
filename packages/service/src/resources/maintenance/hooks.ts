import { subscribe, type Tx } from '../../store/index.ts';
import { type ClusterModel, clusterChanging, clustersIn, clusterUnpinned } from '../clusters/index.ts';
import { reconsider } from './changes.ts';

/** A version may be due by what a cluster becomes, or no longer. */
export const followClusters = subscribe(clusterChanging, async (tx, change) => {
  const { cluster } = change;
  // What is being made runs the version that was asked for, and a failover changes none.
  if (change.kind === 'create' || change.kind === 'failover') return;
  const others = await othersOf(tx, cluster);
  await reconsider(tx, cluster.groupId, change.kind === 'remove' ? others : [...others, cluster]);
});

export const followPins = subscribe(clusterUnpinned, async (tx, { cluster }) =>
  reconsider(tx, cluster.groupId, [...(await othersOf(tx, cluster)), cluster]),
);

async function othersOf(tx: Tx, { id, groupId }: ClusterModel): Promise<ClusterModel[]> {
  return (await clustersIn(tx, groupId)).filter((other) => other.id !== id);
}
