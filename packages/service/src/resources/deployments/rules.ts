import type { EventTypes } from '../../events/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { type ClusterModel, clusterById } from '../clusters/index.ts';
import { type AccountRow, accountsOf } from './account-rows.ts';
import { deploymentFaults } from './faults.ts';
import { type DeploymentRow, deploymentById } from './rows.ts';

export const deploymentEvents = {
  DEPLOYMENT_DATABASES_DROP_REQUESTED: 'Drop of all databases of an adopted deployment was requested',
} as const satisfies EventTypes;

/** A deployment, and the cluster that represents it. */
export interface Adopted {
  readonly row: DeploymentRow;
  readonly cluster: ClusterModel;
  /** The database users and roles of the project that are on the servers of the deployment. */
  readonly accounts: readonly AccountRow[];
}

/** Returns the deployment that a path names. Throws DEPLOYMENT_NOT_FOUND. */
export async function requireAdopted(tx: ReadTx, id: string): Promise<Adopted> {
  const row = await deploymentById(tx, id);
  const cluster = row && (await clusterById(tx, id));
  if (row === undefined || cluster === undefined) throw deploymentFaults.DEPLOYMENT_NOT_FOUND(id);
  return { row, cluster, accounts: await accountsOf(tx, id) };
}
