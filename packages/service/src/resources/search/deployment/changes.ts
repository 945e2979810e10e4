import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, type ClusterWork, enqueueWork } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { deploymentFaults } from './faults.ts';
import {
  deleteDeployment,
  deploymentOf,
  insertDeployment,
  type SearchDeploymentRow,
  updateDeployment,
} from './rows.ts';
import { type deploymentEvents, requireDeployment, requireNodesPossible } from './rules.ts';

export const APPLY_NODES = { kind: 'search.nodes' };

type DeploymentSpec = Pick<SearchDeploymentRow, 'instanceSize' | 'nodeCount'>;

/** Creates the row for a cluster's search nodes. A task then starts the nodes. */
export async function createDeployment(
  tx: Tx,
  cluster: ClusterModel,
  wanted: DeploymentSpec,
  actor: Actor,
): Promise<SearchDeploymentRow> {
  await requireNodesPossible(tx, cluster);
  if ((await deploymentOf(tx, cluster.id)) !== undefined) {
    throw deploymentFaults.PLATFORM_FTS_DEPLOYMENT_ALREADY_EXISTS(cluster.name);
  }
  const { groupId, id: clusterId } = cluster;
  const row: SearchDeploymentRow = {
    ...{ id: tx.id(), groupId, clusterId, state: 'UPDATING', revision: 1 },
    ...wanted,
  };
  await insertDeployment(tx, row);
  await record(tx, cluster, 'SEARCH_DEPLOYMENT_CREATED', actor);
  return row;
}

export async function changeDeployment(
  tx: Tx,
  cluster: ClusterModel,
  wanted: DeploymentSpec,
  actor: Actor,
): Promise<SearchDeploymentRow> {
  await requireNodesPossible(tx, cluster);
  const row = await requireDeployment(tx, cluster);
  const changed: SearchDeploymentRow = {
    ...row,
    ...wanted,
    state: 'UPDATING',
    revision: row.revision + 1,
  };
  await updateDeployment(tx, changed);
  await record(tx, cluster, 'SEARCH_DEPLOYMENT_UPDATED', actor);
  return changed;
}

/** Requests the removal of the search nodes. The row is deleted once their threads have ended. */
export async function removeDeployment(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<void> {
  await requireNodesPossible(tx, cluster);
  const row = await requireDeployment(tx, cluster);
  await updateDeployment(tx, { ...row, state: 'DELETING', revision: row.revision + 1 });
  await record(tx, cluster, 'SEARCH_DEPLOYMENT_DELETED', actor);
}

/** Records that the cluster runs the nodes of this revision. */
export async function markApplied(tx: Tx, clusterId: string, revision: number): Promise<void> {
  const row = await deploymentOf(tx, clusterId);
  // If the nodes have changed in the meantime, the task of that change sets the state.
  if (row === undefined || row.revision !== revision) return;
  if (row.state === 'DELETING') await deleteDeployment(tx, clusterId);
  else await updateDeployment(tx, { ...row, state: 'IDLE' });
}

async function record(
  tx: Tx,
  cluster: ClusterModel,
  type: keyof typeof deploymentEvents,
  actor: Actor,
): Promise<void> {
  await recordInProject(tx, cluster.groupId, { type, actor, clusterName: cluster.name });
  await enqueueWork<ClusterWork>(tx, APPLY_NODES, cluster, {}, { queue: 'search nodes' });
}
