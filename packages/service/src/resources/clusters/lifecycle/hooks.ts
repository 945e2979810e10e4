import type { Actor } from '../../../events/index.ts';
import type { Topic } from '../../../store/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

/*
 * This file declares the topics to which other families subscribe, with `hooks: [subscribe(clusterChanging,
 * …)]`. Subscribers run in the transaction that changes a cluster. Clusters do not depend on these families.
 */

/**
 * A change that is about to happen. `cluster` is the cluster after the change. The kind `update` includes pauses and
 * resumptions. The kind `restore` replaces the data of the cluster.
 */
export type ClusterChange =
  | { readonly kind: 'create' | 'failover' | 'restore'; readonly cluster: ClusterModel }
  | ClusterUpdate
  | ({ readonly kind: 'remove' } & ClusterRemoval);

interface ClusterUpdate {
  readonly kind: 'update';
  readonly cluster: ClusterModel;
  readonly before: ClusterModel;
  /** Who requested the update; `system` for automatic changes. */
  readonly actor: Actor;
}

export interface ClusterRemoval {
  readonly cluster: ClusterModel;
  /** Whether snapshots are retained. */
  readonly retainBackups: boolean;
}

/**
 * Published before a request starts work on the nodes or the data of a cluster, but does not change the cluster itself.
 * A subscriber rejects the work by throwing a fault.
 */
export const clusterWorkStarting: Topic<{ readonly cluster: ClusterModel }> = {
  name: 'cluster work starting',
};

/**
 * Published before a change, after the checks of clusters themselves. A subscriber rejects the change by throwing a
 * fault.
 */
export const clusterChanging: Topic<ClusterChange> = { name: 'cluster changing' };

/**
 * Published after the deployment, data and row of a cluster are deleted. Subscribers delete their data about the
 * cluster.
 */
export const clusterRemoved: Topic<ClusterRemoval> = { name: 'cluster removed' };

/** Published when the version pin of a cluster has expired, so that upgrades are allowed again. */
export const clusterUnpinned: Topic<{ readonly cluster: ClusterModel }> = { name: 'cluster unpinned' };
