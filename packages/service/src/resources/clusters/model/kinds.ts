import type { ClusterKind, ClusterModel, ClusterSpec } from './cluster.ts';
import { clusterFaults } from './faults.ts';

/**
 * Clusters, flex clusters and serverless instances share one model, but have separate operations. The cluster
 * operations can also create a flex cluster, with a former size (M2, M5). Such a flex cluster is available through the
 * cluster operations and the flex operations.
 */

export const kindOf = ({ kind = 'cluster' }: ClusterSpec): ClusterKind => kind;

export const isFlex = (kind: ClusterKind) => kind === 'flex' || kind === 'flexBySize';

/** Returns the family of tenant metrics of a cluster, if any. */
export function tenantFamilyOf(spec: ClusterSpec): 'flex' | 'serverless' | undefined {
  const kind = kindOf(spec);
  return isFlex(kind) ? 'flex' : kind === 'serverless' ? kind : undefined;
}

/** The kinds of cluster that each group of operations serves. */
export const kindsServed = {
  clusters: ['cluster', 'flexBySize'],
  flex: ['flex', 'flexBySize'],
  serverless: ['serverless'],
  // Search indexes have the same paths for clusters and flex clusters.
  search: ['cluster', 'flex', 'flexBySize'],
} as const satisfies Readonly<Record<string, readonly ClusterKind[]>>;

/** A group of operations: on clusters, flex clusters, serverless instances or search indexes. */
export type ClusterApi = keyof typeof kindsServed;

export function isServedBy(api: ClusterApi, spec: ClusterSpec): boolean {
  return (kindsServed[api] as readonly ClusterKind[]).includes(kindOf(spec));
}

/** Throws if a cluster belongs to another group of operations. */
export function assertServedBy(api: ClusterApi, { name, spec }: ClusterModel): void {
  if (isServedBy(api, spec)) return;
  if (api === 'flex') throw clusterFaults.CANNOT_USE_NON_FLEX_CLUSTER_IN_FLEX_API(name);
  if (api === 'serverless') throw clusterFaults.CANNOT_USE_CLUSTER_IN_SERVERLESS_INSTANCE_API(name);
  if (kindOf(spec) === 'serverless') {
    throw clusterFaults.CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API(name);
  }
  throw clusterFaults.CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API(name);
}
