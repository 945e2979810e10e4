import type { Actor } from '../../../events/index.ts';
import type { Topic } from '../../../store/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

/*
 * Hooks for other families, run in the transaction that changes a cluster. They declare
 * `hooks: [subscribe(clusterChanging, …)]`; clusters do not depend on them.
 */

/**
 * An imminent change. `cluster` is the new state; updates include pauses and resumptions. `restore` means that the
 * data of the cluster are about to be replaced.
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

/** Published before a change, after the checks of clusters themselves; a fault thrown by a subscriber refuses it. */
export const clusterChanging: Topic<ClusterChange> = { name: 'cluster changing' };

/**
 * Published after the deployment, data and row of a cluster are deleted; subscribers delete what they store about it.
 */
export const clusterRemoved: Topic<ClusterRemoval> = { name: 'cluster removed' };

/** Published when the version pin of a cluster has expired, so that it may be upgraded again. */
export const clusterUnpinned: Topic<{ readonly cluster: ClusterModel }> = { name: 'cluster unpinned' };
