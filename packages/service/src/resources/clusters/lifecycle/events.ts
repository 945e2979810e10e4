import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Actor, EventTypes } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { ClusterModel } from '../model/cluster.ts';

export const clusterEvents = {
  CLUSTER_CREATED: 'Cluster was created',
  CLUSTER_READY: 'Cluster is ready',
  CLUSTER_UPDATE_SUBMITTED: 'Cluster update was submitted',
  CLUSTER_PROCESS_ARGS_UPDATE_SUBMITTED: 'Change of the process arguments of a cluster was submitted',
  CLUSTER_UPDATE_STARTED: 'Cluster update was started',
  CLUSTER_UPDATE_COMPLETED: 'Cluster update was completed',
  CLUSTER_AUTOMATICALLY_PAUSED: 'Cluster was paused automatically because it was not used',
  CLUSTER_DELETE_SUBMITTED: 'Cluster deletion was submitted',
  CLUSTER_TAGS_MODIFIED: 'Tags of a cluster were changed',
  CLUSTER_INSTANCE_STOP_START: 'Node of a cluster was stopped or started',
  TEST_FAILOVER_REQUESTED: 'Test failover was requested',
  EMPLOYEE_ACCESS_GRANTED: 'Employee access to a cluster was granted',
  EMPLOYEE_ACCESS_REVOKED: 'Employee access to a cluster was revoked',
  SAMPLE_DATASET_LOAD_REQUESTED: 'Load of the sample data was requested',
  CLUSTER_NODES_LOST: 'Nodes of a cluster are not running',
  CLUSTER_USERS_NOT_APPLIED: 'Database users or custom roles of the project cannot be used on a cluster',
  CLUSTER_PROCESS_ARGS_NOT_APPLIED:
    'Servers of a cluster refused process arguments or a feature compatibility version',
  CLUSTER_REPAIRED: 'Nodes of a cluster are running again',
  CLUSTER_DELETED: 'Cluster was deleted',
} as const satisfies EventTypes;

export type ClusterEvent = keyof typeof clusterEvents;

/** Records an event about a cluster in its project and organization. */
export async function recordOn(
  tx: Tx,
  cluster: ClusterModel,
  type: ClusterEvent,
  actor: Actor,
  details?: PlainObject,
): Promise<void> {
  const event = { type, actor, clusterName: cluster.name };
  await recordInProject(tx, cluster.groupId, details === undefined ? event : { ...event, details });
}
