import type { AdoptedConnection } from '../../adopted/index.ts';
import type { Actor } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import {
  addFound,
  admitWork,
  type ClusterModel,
  clusterChanging,
  clusterFaults,
  type NewFound,
} from '../clusters/index.ts';
import { ADOPTED_HOST, ensureHost } from '../engine-hosts/index.ts';
import { recordInProject } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { sealConnection } from './connections.ts';
import { insertDeployment, insertDrop, updateConnection } from './rows.ts';

/** Creates a cluster for an inspected deployment. */
export async function adopt(
  tx: Tx,
  { secrets }: Pick<Services, 'secrets'>,
  wanted: Omit<NewFound, 'host'> & { readonly connection: AdoptedConnection },
  actor: Actor,
): Promise<ClusterModel> {
  const { connection, ...found } = wanted;
  await ensureHost(tx, ADOPTED_HOST);
  const cluster = await addFound(tx, { ...found, host: ADOPTED_HOST }, actor);
  const sealed = sealConnection(secrets, cluster.id, connection);
  await insertDeployment(tx, { clusterId: cluster.id, created: tx.now, connection: sealed });
  return cluster;
}

/** Replaces the connection of a deployment. All instances of the service connect again within seconds. */
export async function reconnect(
  tx: Tx,
  { secrets }: Pick<Services, 'secrets'>,
  { id, groupId, name: clusterName }: ClusterModel,
  { connection, actor }: { readonly connection: AdoptedConnection; readonly actor: Actor },
): Promise<void> {
  await updateConnection(tx, id, sealConnection(secrets, id, connection));
  await recordInProject(tx, groupId, { type: 'DEPLOYMENT_CONNECTION_CHANGED', actor, clusterName });
}

/**
 * Records that the drop of all databases of a deployment has begun. Until it ends, requests that change the cluster are
 * rejected. Throws if the cluster is not idle, or if a restore or a migration to it is in progress.
 */
export async function beginDrop(
  tx: Tx,
  cluster: ClusterModel,
  { actor, owner }: { readonly actor: Actor; readonly owner: string },
): Promise<void> {
  const { name: clusterName, groupId, state } = cluster;
  if (state !== 'IDLE') throw clusterFaults.CLUSTER_UPDATE_IN_PROGRESS(clusterName, state);
  await admitWork(tx, cluster);
  // Let other families reject the drop in the same way as an update that a caller requests.
  await tx.publish(clusterChanging, { kind: 'update', cluster, before: cluster, actor });
  await recordInProject(tx, groupId, { type: 'DEPLOYMENT_DATABASES_DROP_REQUESTED', actor, clusterName });
  await insertDrop(tx, cluster.id, owner);
}
