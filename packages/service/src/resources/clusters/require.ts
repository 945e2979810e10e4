import type { ReadTx } from '../../store/index.ts';
import type { ClusterModel } from './model/cluster.ts';
import { clusterFaults } from './model/faults.ts';
import { assertServedBy, type ClusterApi } from './model/kinds.ts';
import { findCluster, retainedById, retainedNamed } from './rows.ts';

/** The cluster that a path names; throws when there is none, or when other operations than those of clusters serve it. */
export function requireCluster(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
): Promise<ClusterModel> {
  return requireServed('clusters', tx, at.groupId, at.clusterName);
}

/**
 * As `requireCluster`, and where none is there now, the last one of that name that is gone while its backups are kept.
 * `id` says which is meant where several had the name.
 */
export async function requireWithRetained(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string },
  id?: string,
): Promise<ClusterModel> {
  const { groupId, clusterName } = at;
  const cluster = await findCluster(tx, groupId, clusterName);
  if (id !== undefined && id !== cluster?.id) {
    const meant = await retainedById(tx, id);
    if (meant?.groupId === groupId && meant.name === clusterName) return meant;
  }
  const kept = cluster === undefined ? await retainedNamed(tx, groupId, clusterName) : undefined;
  return kept ?? requireCluster(tx, at);
}

/** The cluster of that name; throws when there is none, or when other operations than those of `api` serve it. */
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

/** Of the dedicated sizes the smallest. */
export const SMALLEST_DEDICATED = 'M10';

/** Throws for a shared size, a flex cluster and a serverless instance, which have no nodes of their own. */
export function requireDedicated({ spec }: Pick<ClusterModel, 'spec'>): void {
  if (spec.tenant) throw clusterFaults.INSUFFICIENT_INSTANCE_SIZE(SMALLEST_DEDICATED);
}

/** The cluster of that name, whichever operations serve it; throws when there is none. */
export async function requireAny(tx: ReadTx, groupId: string, name: string): Promise<ClusterModel> {
  const cluster = await findCluster(tx, groupId, name);
  if (!cluster) throw clusterFaults.CLUSTER_NOT_FOUND(name, groupId);
  return cluster;
}
