import type { Actor, EventTypes } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

export const clusterEvents = {
  CLUSTER_CREATED: 'Cluster was created',
  CLUSTER_READY: 'Cluster is ready',
  CLUSTER_UPDATE_SUBMITTED: 'Cluster update was submitted',
  CLUSTER_PROCESS_ARGS_UPDATE_SUBMITTED: 'Change of the process arguments of a cluster was submitted',
  CLUSTER_UPDATE_STARTED: 'Cluster update has begun',
  CLUSTER_UPDATE_COMPLETED: 'Cluster update was completed',
  CLUSTER_AUTOMATICALLY_PAUSED: 'Cluster was paused because nobody used it',
  CLUSTER_DELETE_SUBMITTED: 'Cluster deletion was submitted',
  CLUSTER_TAGS_MODIFIED: 'Tags of a cluster were changed',
  CLUSTER_INSTANCE_STOP_START: 'Instance was stopped or started',
  TEST_FAILOVER_REQUESTED: 'A test failover was requested',
  EMPLOYEE_ACCESS_GRANTED: 'Staff was granted access to a cluster',
  EMPLOYEE_ACCESS_REVOKED: 'Staff lost its access to a cluster',
  SAMPLE_DATASET_LOAD_REQUESTED: 'A load of the sample data was requested',
  CLUSTER_NODES_LOST: 'Nodes of a cluster do not run',
  CLUSTER_REPAIRED: 'The nodes of a cluster run again',
  CLUSTER_DELETED: 'Cluster was deleted',
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
