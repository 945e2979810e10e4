import type { EventTypes } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { admitWork, type ClusterModel, requireDedicated } from '../../clusters/index.ts';
import { deploymentFaults } from './faults.ts';
import { deploymentOf, type SearchDeploymentRow } from './rows.ts';

export const deploymentEvents = {
  SEARCH_DEPLOYMENT_CREATED: 'Search nodes were added to a cluster',
  SEARCH_DEPLOYMENT_UPDATED: 'Search nodes of a cluster were changed',
  SEARCH_DEPLOYMENT_DELETED: 'Search nodes of a cluster were removed',
} as const satisfies EventTypes;

/** Throws if the cluster can never have search nodes, or cannot have them at the moment. */
export async function requireNodesPossible(tx: Tx, cluster: ClusterModel): Promise<void> {
  requireDedicated(cluster);
  await admitWork(tx, cluster);
}

/**
 * Returns the row of the search nodes. Throws PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST if there is none, or if the nodes
 * are being deleted.
 */
export async function requireDeployment(
  tx: ReadTx,
  { id, name }: Pick<ClusterModel, 'id' | 'name'>,
): Promise<SearchDeploymentRow> {
  const row = await deploymentOf(tx, id);
  if (row === undefined || row.state === 'DELETING') {
    throw deploymentFaults.PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST(name);
  }
  return row;
}
