import {
  addCount,
  type Counter,
  counter,
  countOf,
  countsOf,
  type PageRequest,
  type ReadTx,
  type Tx,
} from '../../store/index.ts';
import { projectCounters } from '../projects/index.ts';
import { type ClusterModel, type ClusterSpec, isFree } from './model/cluster.ts';
import { type ShapeName, shapeOf } from './model/expressible.ts';
import { type ClusterApi, kindOf, kindsServed } from './model/kinds.ts';
import { pageOfClusters } from './rows.ts';

/** Determines which clusters a list contains. */
export interface Shown {
  readonly api: ClusterApi;
  readonly shapes: readonly ShapeName[];
  /** Whether to include deleted clusters with retained backups. */
  readonly retained?: boolean;
}

/** Returns one page of a project's clusters, oldest first. `write` converts a cluster to its form in the response. */
export async function listServed<T>(
  tx: ReadTx,
  groupId: string,
  { api, shapes, retained = false }: Shown,
  page: PageRequest,
  write: (cluster: ClusterModel) => T,
) {
  const chosen = { kinds: kindsServed[api], shapes, retained };
  const { rows, next } = await pageOfClusters(tx, groupId, chosen, page);
  let totalCount = 0;
  for (const kind of page.includeCount ? kindsServed[api] : []) {
    for (const shape of shapes) {
      totalCount += await countOf(tx, sizeOf(kind, shape), groupId);
      if (retained) totalCount += await countOf(tx, retainedOf(kind, shape), groupId);
    }
  }
  return { results: rows.map(write), next, totalCount: page.includeCount ? totalCount : undefined };
}

/** Counts the free clusters of a project. At most one is allowed. */
export const freeClusters = counter('group', 'freeClusters');

/** Counters that other families maintain for each cluster, and which are deleted with the cluster. */
export const clusterCounters = {
  openAlerts: counter('cluster', 'openAlerts'),
  /** Simulated outages that have not ended. */
  outages: counter('cluster', 'outages'),
  /** Outages that leave a replica set without a primary. */
  lostMajorities: counter('cluster', 'lostMajorities'),
};

export interface CountedCluster {
  readonly cluster: ClusterModel;
  readonly counts: { readonly [C in keyof typeof clusterCounters]: number };
}

/** Returns the clusters with the counters of other families. */
export async function withCounts(tx: ReadTx, clusters: readonly ClusterModel[]): Promise<CountedCluster[]> {
  const none = { openAlerts: 0, outages: 0, lostMajorities: 0 };
  const counts = await countsOf(
    tx,
    clusterCounters,
    clusters.map(({ id }) => id),
  );
  return clusters.map((cluster) => ({ cluster, counts: counts.get(cluster.id) ?? none }));
}

/** Returns the counter of the clusters of a kind and shape. */
function sizeOf(kind: string, shape: ShapeName): Counter {
  return counter('group', `clusters:${kind}:${shape}`);
}

/** Returns the counter of deleted clusters with this kind and shape whose backups are retained. */
function retainedOf(kind: string, shape: ShapeName): Counter {
  return counter('group', `retainedClusters:${kind}:${shape}`);
}

/** Changes the counter of deleted clusters with retained backups by 1 or -1. */
export async function recountRetained(tx: Tx, { groupId, spec }: ClusterModel, more: 1 | -1): Promise<void> {
  await addCount(tx, retainedOf(kindOf(spec), shapeOf(spec)), groupId, more);
}

/** Updates the counters of clusters. `before` is absent for a new cluster, `after` for a deleted one. */
export async function recount(
  tx: Tx,
  groupId: string,
  before: ClusterSpec | undefined,
  after: ClusterSpec | undefined,
): Promise<void> {
  const more = Number(after !== undefined) - Number(before !== undefined);
  if (more !== 0) await addCount(tx, projectCounters.clusters, groupId, more);
  const free = Number(after !== undefined && isFree(after)) - Number(before !== undefined && isFree(before));
  if (free !== 0) await addCount(tx, freeClusters, groupId, free);
  const [from, to] = [before, after].map((spec) => spec && sizeOf(kindOf(spec), shapeOf(spec)));
  if (from?.kind === to?.kind) return;
  if (from !== undefined) await addCount(tx, from, groupId, -1);
  if (to !== undefined) await addCount(tx, to, groupId, 1);
}
