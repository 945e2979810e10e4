import { clusterFaults } from './faults.ts';

/** What a cluster is doing. */
export const clusterStates = ['CREATING', 'IDLE', 'UPDATING', 'REPAIRING', 'DELETING'] as const;
export type ClusterState = (typeof clusterStates)[number];

/**
 * Every move between states: what happens to a cluster → the states in which it may happen and the one that follows.
 * The durable tasks of `lifecycle/` do the work behind `applied`, and nothing else ends a state.
 */
const moves = {
  change: { from: ['IDLE', 'UPDATING', 'REPAIRING'], to: 'UPDATING' },
  applied: { from: ['CREATING', 'UPDATING', 'REPAIRING'], to: 'IDLE' },
  lost: { from: ['CREATING', 'IDLE', 'UPDATING'], to: 'REPAIRING' },
  remove: { from: ['CREATING', 'IDLE', 'UPDATING', 'REPAIRING'], to: 'DELETING' },
} as const satisfies Record<string, { from: readonly ClusterState[]; to: ClusterState }>;

/** The state that follows, or the fault of a caller who asks for a move that is not open now. */
export function stateAfter(
  cluster: { name: string; state: ClusterState },
  change: keyof typeof moves,
): ClusterState {
  const rule: { from: readonly ClusterState[]; to: ClusterState } = moves[change];
  if (rule.from.includes(cluster.state)) return rule.to;
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  throw clusterFaults.CLUSTER_UPDATE_IN_PROGRESS(cluster.name, cluster.state);
}
