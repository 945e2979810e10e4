import type { ReadTx } from '../../store/index.ts';
import { type Provider, regionNamed } from './catalogue/regions.ts';
import { assertCan } from './model/capabilities.ts';
import type { ClusterModel } from './model/cluster.ts';
import { clusterFaults } from './model/faults.ts';
import { assertServedBy, type ClusterApi } from './model/kinds.ts';
import { findCluster, retainedById, retainedNamed } from './rows.ts';

/** Returns the contract's name of a region. `text` is either this name or the provider's own name. */
export function requireRegion(provider: Provider, text: string): string {
  const region = regionNamed(provider, text);
  if (region === undefined) throw clusterFaults.INVALID_REGION(text, provider);
  return region;
}

/**
 * Returns the cluster that a path names. Throws if the cluster does not exist, or if its kind has separate operations.
 */
export function requireCluster(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  return requireServed('clusters', tx, at.groupId, at.clusterName);
}

/**
 * Like `requireCluster`, but falls back to the last deleted cluster with this name and retained backups. `id` selects
 * one of several clusters with the same name.
 */
export async function requireWithRetained(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
  id?: string,
): Promise<ClusterModel> {
  const { groupId, clusterName } = at;
  const cluster = await findCluster(tx, groupId, clusterName);
  if (id !== undefined && id !== cluster?.id) {
    const retained = await retainedById(tx, id);
    if (retained?.groupId === groupId && retained.name === clusterName) return retained;
  }
  const kept = cluster === undefined ? await retainedNamed(tx, groupId, clusterName) : undefined;
  return kept ?? requireCluster(tx, at);
}

/**
 * Like `requireWithRetained`, but if `clusterId` is set, returns only the cluster with this id. This finds a deleted
 * cluster with retained backups even if a newer cluster has the same name.
 */
export async function requireNamed(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
  clusterId: string | undefined,
): Promise<ClusterModel> {
  const cluster = await requireWithRetained(tx, at, clusterId);
  if (clusterId !== undefined && cluster.id !== clusterId)
    throw clusterFaults.CLUSTER_NOT_FOUND(at.clusterName, at.groupId);
  return cluster;
}

/**
 * Returns the cluster with this name. Throws if the cluster does not exist, or if its kind has other operations than
 * those of `api`.
 */
export async function requireServed(
  api: ClusterApi,
  tx: ReadTx,
  groupId: string,
  name: string,
): Promise<ClusterModel> {
  const cluster = await findCluster(tx, groupId, name);
  if (cluster === undefined && api === 'serverless') {
    throw clusterFaults.SERVERLESS_INSTANCE_NOT_FOUND(name, groupId);
  }
  if (cluster === undefined) throw clusterFaults.CLUSTER_NOT_FOUND(name, groupId);
  assertServedBy(api, cluster);
  return cluster;
}

/** The smallest dedicated size. */
export const SMALLEST_DEDICATED = 'M10';

/** Throws for shared-tier clusters, flex clusters and serverless instances, which have no dedicated nodes. */
export function requireDedicated({ spec }: Pick<ClusterModel, 'spec'>): void {
  if (spec.tenant) throw clusterFaults.INSUFFICIENT_INSTANCE_SIZE(SMALLEST_DEDICATED);
}

/** Like `requireCluster`, for operations on search indexes, which flex clusters have too. */
export async function requireSearched(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  const cluster = await requireServed('search', tx, at.groupId, at.clusterName);
  assertCan(cluster, 'search');
  return cluster;
}

/** Returns the cluster that a path names. Throws INSUFFICIENT_INSTANCE_SIZE if its kind has no dedicated nodes. */
export async function requireDedicatedCluster(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  const cluster = await requireAny(tx, at.groupId, at.clusterName);
  requireDedicated(cluster);
  return cluster;
}

/** Returns the cluster of any kind with this name. Throws if it does not exist. */
export async function requireAny(tx: ReadTx, groupId: string, name: string): Promise<ClusterModel> {
  const cluster = await findCluster(tx, groupId, name);
  if (!cluster) throw clusterFaults.CLUSTER_NOT_FOUND(name, groupId);
  return cluster;
}
