import { clusterFaults } from './faults.ts';

export const clusterStates = ['CREATING', 'IDLE', 'UPDATING', 'REPAIRING', 'DELETING'] as const;
export type ClusterState = (typeof clusterStates)[number];

/**
 * All state transitions, with the states in which each is allowed. The tasks in `lifecycle/` make the transition
 * `applied` when their work is complete. Only these tasks return a cluster to `IDLE`.
 */
const moves = {
  change: { from: ['IDLE', 'UPDATING', 'REPAIRING'], to: 'UPDATING' },
  applied: { from: ['CREATING', 'UPDATING', 'REPAIRING'], to: 'IDLE' },
  lost: { from: ['CREATING', 'IDLE', 'UPDATING'], to: 'REPAIRING' },
  remove: { from: ['CREATING', 'IDLE', 'UPDATING', 'REPAIRING'], to: 'DELETING' },
} as const satisfies Record<string, { from: readonly ClusterState[]; to: ClusterState }>;

/** Returns the state after a transition. Throws if the current state does not allow it. */
export function stateAfter(
  cluster: { name: string; state: ClusterState },
  change: keyof typeof moves,
): ClusterState {
  const rule: { from: readonly ClusterState[]; to: ClusterState } = moves[change];
  if (rule.from.includes(cluster.state)) return rule.to;
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  throw clusterFaults.CLUSTER_UPDATE_IN_PROGRESS(cluster.name, cluster.state);
}
