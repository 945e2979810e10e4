import type { Topic } from '../../../store/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

/*
 * Where other families take part in the life of a cluster, inside the transaction that changes it: they declare
 * `hooks: [subscribe(clusterChanging, …)]`, and clusters know nothing of them.
 */

/**
 * What somebody is about to make of a cluster. An update also pauses and resumes; `cluster` is what it becomes. Where it is
 * `occupied`, other data are to take the place of its own.
 */
export type ClusterChange =
  | { readonly kind: 'create' | 'failover' | 'occupied'; readonly cluster: ClusterModel }
  | { readonly kind: 'update'; readonly cluster: ClusterModel; readonly before: ClusterModel }
  | ({ readonly kind: 'remove' } & ClusterRemoval);

export interface ClusterRemoval {
  readonly cluster: ClusterModel;
  /** Whether its snapshots outlive it. */
  readonly retainBackups: boolean;
}

/** Before a change, once clusters themselves have nothing against it: a fault that is thrown here refuses it. */
export const clusterChanging: Topic<ClusterChange> = { name: 'cluster changing' };

/** Its deployment, its data and its row are gone: what others keep of it goes too. */
export const clusterRemoved: Topic<ClusterRemoval> = { name: 'cluster removed' };

/** The pin of its version has run out, and it may be raised again. */
export const clusterUnpinned: Topic<{ readonly cluster: ClusterModel }> = { name: 'cluster unpinned' };
