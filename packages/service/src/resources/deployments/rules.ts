import type { FoundServers } from '@portolan/engine/interface/engine';
import type { EventTypes } from '../../events/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { type ClusterModel, clusterById, clustersMarked, hostName, markIn } from '../clusters/index.ts';
import type { HostNaming } from '../services.ts';
import { type AccountRow, accountsOf } from './account-rows.ts';
import { deploymentFaults } from './faults.ts';
import { allDeployments, type DeploymentRow, deploymentById } from './rows.ts';

export const deploymentEvents = {
  DEPLOYMENT_CONNECTION_CHANGED: 'Connection string of an adopted deployment was changed',
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

const addressOf = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `${host.toLowerCase()}:${port}`;

/** Throws DEPLOYMENT_HAS_OTHER_SERVERS if none of the servers belongs to the adopted deployment. */
export function checkSameServers({ cluster }: Adopted, { members }: FoundServers): void {
  const known = new Set(cluster.placement.members.map(addressOf));
  if (!members.some((member) => known.has(addressOf(member))))
    throw deploymentFaults.DEPLOYMENT_HAS_OTHER_SERVERS(cluster.name, [...known].join(', '));
}

/**
 * Throws DEPLOYMENT_ALREADY_ADOPTED if one of the servers belongs to a deployment of any project. Two clusters would undo
 * each other's changes of process arguments and versions, and restore data under each other. The error contains the id of
 * the deployment instead of names, since these can belong to another organization. `except` is the id of a deployment to
 * which the servers may belong.
 */
export async function checkNotAdopted(tx: ReadTx, { members }: FoundServers, except?: string): Promise<void> {
  const wanted = new Set(members.map(addressOf));
  for (const { clusterId } of await allDeployments(tx)) {
    if (clusterId === except) continue;
    const cluster = await clusterById(tx, clusterId);
    if (cluster === undefined || cluster.state === 'DELETING') continue;
    const shared = cluster.placement.members.map(addressOf).find((address) => wanted.has(address));
    if (shared !== undefined) throw deploymentFaults.DEPLOYMENT_ALREADY_ADOPTED(shared, clusterId);
  }
}

/**
 * Throws DEPLOYMENT_IS_OWN_CLUSTER if one of the servers belongs to a cluster that the service runs itself. The mark alone
 * does not show this, since a service that was started with copied data has clusters with the same marks.
 */
export async function checkNotOwn(
  tx: ReadTx,
  naming: HostNaming,
  { members, replicaSets }: FoundServers,
): Promise<void> {
  const wanted = new Set(members.map(addressOf));
  for (const mark of new Set(replicaSets.flatMap((name) => markIn(name) ?? []))) {
    for (const cluster of await clustersMarked(tx, mark)) {
      const own = cluster.placement.members.flatMap((member) => [
        addressOf(member),
        addressOf({ host: hostName(cluster, member, naming), port: member.port }),
      ]);
      const shared = own.find((address) => wanted.has(address));
      if (shared !== undefined) throw deploymentFaults.DEPLOYMENT_IS_OWN_CLUSTER(shared, cluster.id);
    }
  }
}
