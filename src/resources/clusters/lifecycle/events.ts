import type { Actor, EventTypes } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

export const clusterEvents = {
  CLUSTER_CREATED: { description: 'Cluster was created', alertable: false },
  CLUSTER_READY: { description: 'Cluster is ready', alertable: false },
  CLUSTER_UPDATE_SUBMITTED: { description: 'Cluster update was submitted', alertable: false },
  CLUSTER_PROCESS_ARGS_UPDATE_SUBMITTED: {
    description: 'Change of the process arguments of a cluster was submitted',
    alertable: false,
  },
  CLUSTER_UPDATE_STARTED: { description: 'Cluster update has begun', alertable: false },
  CLUSTER_UPDATE_COMPLETED: { description: 'Cluster update was completed', alertable: false },
  CLUSTER_AUTOMATICALLY_PAUSED: {
    description: 'Cluster was paused because nobody used it',
    alertable: false,
  },
  CLUSTER_DELETE_SUBMITTED: { description: 'Cluster deletion was submitted', alertable: false },
  CLUSTER_TAGS_MODIFIED: { description: 'Tags of a cluster were changed', alertable: true },
  TEST_FAILOVER_REQUESTED: { description: 'A test failover was requested', alertable: false },
  EMPLOYEE_ACCESS_GRANTED: { description: 'Staff was granted access to a cluster', alertable: false },
  EMPLOYEE_ACCESS_REVOKED: { description: 'Staff lost its access to a cluster', alertable: false },
  SAMPLE_DATASET_LOAD_REQUESTED: {
    description: 'A load of the sample data was requested',
    alertable: true,
  },
  CLUSTER_NODES_LOST: { description: 'Nodes of a cluster do not run', alertable: false },
  CLUSTER_REPAIRED: { description: 'The nodes of a cluster run again', alertable: false },
  CLUSTER_DELETED: { description: 'Cluster was deleted', alertable: false },
} as const satisfies EventTypes;

export type ClusterEvent = keyof typeof clusterEvents;

/** Records an event of a cluster, and of the project and organization that it stands in. */
export async function recordOn(
  tx: Tx,
  cluster: ClusterModel,
  type: ClusterEvent,
  actor: Actor,
  details?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const event = { type, actor, clusterName: cluster.name };
  await recordInProject(tx, cluster.groupId, details === undefined ? event : { ...event, details });
}
