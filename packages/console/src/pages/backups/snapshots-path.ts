import type { Cluster } from '../../api/resources.ts';

/** Returns the path of the snapshots of a cluster. The path depends on the type of the cluster. */
export function snapshotsPath(path: string, { clusterType }: Cluster): string {
  return `${path}/backup/snapshots${clusterType === 'REPLICASET' ? '' : '/shardedClusters'}`;
}

/** Returns the path of one snapshot. */
export function snapshotPath(path: string, { clusterType }: Cluster, id: string): string {
  return `${path}/backup/snapshots/${clusterType === 'REPLICASET' ? '' : 'shardedCluster/'}${id}`;
}
