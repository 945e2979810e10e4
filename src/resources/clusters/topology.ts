import type { DeploymentSpec, MemberKind, MemberSpec } from '../../engine/engine.ts';
import { databaseVersions } from './data/versions.ts';
import type { ClusterModel, RegionNodes } from './model.ts';
import { replicaSetName } from './model.ts';

/** The nodes that a cluster asks for, as an engine runs them. Member ids are stable: `shard-00-00`. */
export function deploymentOf(cluster: ClusterModel, access: DeploymentSpec['access']): DeploymentSpec {
  return {
    id: cluster.id,
    clusterName: cluster.name,
    replicaSetName: replicaSetName(cluster.placement.mark, 0),
    majorVersion: cluster.spec.majorVersion,
    version: databaseVersions[cluster.spec.majorVersion] ?? `${cluster.spec.majorVersion}.0`,
    members: membersOf(cluster),
    access,
  };
}

function membersOf(cluster: ClusterModel): MemberSpec[] {
  const shards = cluster.spec.zones.flatMap((zone) =>
    Array.from({ length: zone.numShards }, () => zone.regions),
  );
  return shards.flatMap((regions, shard) =>
    nodesOf(regions).map((node, index) => ({
      ...node,
      id: `shard-${twoDigits(shard)}-${twoDigits(index)}`,
      shard,
    })),
  );
}

/** Electable nodes come first, so that the ids of a replica set's voters do not move when others are added. */
function nodesOf(regions: readonly RegionNodes[]): Omit<MemberSpec, 'id' | 'shard'>[] {
  const kinds: readonly MemberKind[] = ['electable', 'readOnly', 'analytics'];
  return kinds.flatMap((kind) =>
    regions.flatMap((region) =>
      Array.from({ length: region[kind] }, () => ({
        kind,
        provider: region.provider,
        region: region.region,
        priority: kind === 'electable' ? region.priority : 0,
      })),
    ),
  );
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
