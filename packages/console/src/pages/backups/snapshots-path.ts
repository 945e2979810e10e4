import type { Cluster } from '../../api/resources.ts';

/** Returns the path of the snapshots of a cluster, which depends on its type. */
export function snapshotsPath(path: string, { clusterType }: Cluster): string {
  return `${path}/backup/snapshots${clusterType === 'REPLICASET' ? '' : '/shardedClusters'}`;
}

/** Returns the path of one snapshot. */
export function snapshotPath(path: string, { clusterType }: Cluster, id: string): string {
  return `${path}/backup/snapshots/${clusterType === 'REPLICASET' ? '' : 'shardedCluster/'}${id}`;
}
