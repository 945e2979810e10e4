import type { Cluster, ClusterPath } from '../../api/resources.ts';

type SnapshotsPath = `${ClusterPath}/backup/snapshots${'' | '/shardedClusters'}`;
type SnapshotPath = `${ClusterPath}/backup/snapshots/${'' | 'shardedCluster/'}${string}`;

/** Returns the path of the snapshots of a cluster. The path depends on the type of the cluster. */
export function snapshotsPath(path: ClusterPath, { clusterType }: Cluster): SnapshotsPath {
  return `${path}/backup/snapshots${clusterType === 'REPLICASET' ? '' : '/shardedClusters'}`;
}

/** Returns the path of one snapshot. */
export function snapshotPath(path: ClusterPath, { clusterType }: Cluster, id: string): SnapshotPath {
  return `${path}/backup/snapshots/${clusterType === 'REPLICASET' ? '' : 'shardedCluster/'}${id}`;
}
