import type { ReadTx } from '../../../store/index.ts';
import type { Provider } from '../catalogue/regions.ts';
import { regions } from '../catalogue/regions.ts';
import { DEFAULT_MAJOR_VERSION } from '../catalogue/versions.ts';
import { findCluster } from '../rows.ts';
import type { ClusterKind, ClusterModel, ClusterSpec } from './cluster.ts';
import { clusterFaults } from './rules.ts';

/**
 * Clusters, flex clusters and serverless instances are one thing with different terms: three nodes in one region, or
 * what the caller asked for. Each has operations of its own; a flex cluster that was asked for by its former sizes (M2,
 * M5) through the operations of clusters is answered there too.
 */

/** Gigabytes of a flex cluster, of which there is no choice. */
export const FLEX_DISK_GB = 5;

const DISK_GB: Readonly<Record<Exclude<ClusterKind, 'cluster'>, number>> = {
  flex: FLEX_DISK_GB,
  flexBySize: FLEX_DISK_GB,
  serverless: 1024,
};

export interface SmallRequest {
  readonly kind: Exclude<ClusterKind, 'cluster'>;
  readonly size: string;
  readonly provider: Provider;
  readonly region: string;
  readonly zoneId: string;
  readonly kept: ClusterSpec['kept'];
}

/** The spec of what has no size of its own to choose. */
export function smallSpec({ kind, size, provider, region, zoneId, kept }: SmallRequest): ClusterSpec {
  const known = regions[provider].get(region);
  if (known === undefined) throw clusterFaults.INVALID_REGION(region, provider);
  if (!known.sharedTier) {
    throw clusterFaults.INVALID_TENANT_CONFIGURATION(`the region ${region} has no shared sizes`);
  }
  const nodes = { provider, region, priority: 7, electable: 3, readOnly: 0, analytics: 0 };
  return {
    clusterType: 'REPLICASET',
    kind,
    zones: [{ id: zoneId, name: 'Zone 1', numShards: 1, regions: [nodes] }],
    instanceSize: size,
    tenant: true,
    diskSizeGB: DISK_GB[kind],
    majorVersion: DEFAULT_MAJOR_VERSION,
    kept,
  };
}

export const kindOf = ({ kind = 'cluster' }: ClusterSpec): ClusterKind => kind;

export const isFlex = (kind: ClusterKind) => kind === 'flex' || kind === 'flexBySize';

/** The kinds that each family of operations answers. */
export const families = {
  clusters: ['cluster', 'flexBySize'],
  flex: ['flex', 'flexBySize'],
  serverless: ['serverless'],
} as const satisfies Readonly<Record<string, readonly ClusterKind[]>>;

export type KindFamily = keyof typeof families;

/** Throws when a cluster belongs to the operations of another family. */
export function assertFamily(cluster: ClusterModel, family: KindFamily): void {
  const kind = kindOf(cluster.spec);
  if ((families[family] as readonly ClusterKind[]).includes(kind)) return;
  if (family === 'flex') throw clusterFaults.CANNOT_USE_NON_FLEX_CLUSTER_IN_FLEX_API(cluster.name);
  if (family === 'serverless') {
    throw clusterFaults.CANNOT_USE_CLUSTER_IN_SERVERLESS_INSTANCE_API(cluster.name);
  }
  if (kind === 'serverless') {
    throw clusterFaults.CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API(cluster.name);
  }
  throw clusterFaults.CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API(cluster.name);
}

/** The one of that name; throws when there is none, or when it belongs to another family. */
export async function existingOf(
  tx: ReadTx,
  groupId: string,
  name: string,
  family: KindFamily,
): Promise<ClusterModel> {
  const cluster = await findCluster(tx, groupId, name);
  if (!cluster) throw clusterFaults.CLUSTER_NOT_FOUND(name, groupId);
  assertFamily(cluster, family);
  return cluster;
}
