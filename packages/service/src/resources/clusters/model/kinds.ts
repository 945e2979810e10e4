import type { ClusterKind, ClusterModel, ClusterSpec } from './cluster.ts';
import { clusterFaults } from './faults.ts';

/**
 * Clusters, flex clusters and serverless instances are one thing with different terms: three nodes in one region, or
 * what the caller asked for. Each has operations of its own; a flex cluster that was asked for by its former sizes (M2,
 * M5) through the operations of clusters is answered there too.
 */

export const kindOf = ({ kind = 'cluster' }: ClusterSpec): ClusterKind => kind;

export const isFlex = (kind: ClusterKind) => kind === 'flex' || kind === 'flexBySize';

/** Whose metrics a cluster has beside those of hosts. */
export function tenantFamilyOf(spec: ClusterSpec): 'flex' | 'serverless' | undefined {
  const kind = kindOf(spec);
  return isFlex(kind) ? 'flex' : kind === 'serverless' ? kind : undefined;
}

/** The kinds that the operations of each name answer. */
export const kindsServed = {
  clusters: ['cluster', 'flexBySize'],
  flex: ['flex', 'flexBySize'],
  serverless: ['serverless'],
} as const satisfies Readonly<Record<string, readonly ClusterKind[]>>;

/** Whose operations: those of clusters, of flex clusters or of serverless instances. */
export type ClusterApi = keyof typeof kindsServed;

export function isServedBy(api: ClusterApi, spec: ClusterSpec): boolean {
  return (kindsServed[api] as readonly ClusterKind[]).includes(kindOf(spec));
}

/** Throws when a cluster belongs to the operations of another name. */
export function assertServedBy(api: ClusterApi, { name, spec }: ClusterModel): void {
  if (isServedBy(api, spec)) return;
  if (api === 'flex') throw clusterFaults.CANNOT_USE_NON_FLEX_CLUSTER_IN_FLEX_API(name);
  if (api === 'serverless') throw clusterFaults.CANNOT_USE_CLUSTER_IN_SERVERLESS_INSTANCE_API(name);
  if (kindOf(spec) === 'serverless') {
    throw clusterFaults.CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API(name);
  }
  throw clusterFaults.CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API(name);
}
