import { errorMessage } from '@portolan/foundation/thrown';
import type { AdoptedConnection } from '../../adopted/index.ts';
import { subscribe, type Tx } from '../../store/index.ts';
import { type ClusterModel, clusterChanging, clusterWorkStarting } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { openConnection } from './connections.ts';
import { deploymentFaults } from './faults.ts';
import { deleteDrop, deploymentById, dropOf, expiredDrops, renewDrop } from './rows.ts';

/**
 * This file is about the drop of all databases of a deployment. An instance drops the databases one after another, and
 * renews its claim before each of them. If the instance stops, its claim expires. An instance then revokes the drop on
 * the servers, so that no database is dropped later. Until then, requests cannot change the deployment.
 */

type Write = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Drops the databases of a deployment, after `beginDrop`. Throws a fault with the reason if this fails. */
export async function carryOutDrop(
  { engines }: Pick<Services, 'engines'>,
  write: Write,
  {
    cluster,
    owner,
    connection,
  }: {
    readonly cluster: ClusterModel;
    readonly owner: string;
    readonly connection: AdoptedConnection;
  },
): Promise<void> {
  let isEnded = false;
  const renew = async () => {
    isEnded = !(await write((tx) => renewDrop(tx, cluster.id, owner)));
    if (isEnded) throw new Error('the drop was ended');
  };
  try {
    await engines.dropDatabases(connection, { owner, renew });
  } catch (error) {
    // If the servers do not respond, the claim expires, and `endExpiredDrops` tries again.
    await engines.revokeDrops(connection).then(
      () => write((tx) => deleteDrop(tx, cluster.id, owner)),
      () => undefined,
    );
    if (isEnded) throw deploymentFaults.DEPLOYMENT_DROP_ENDED(cluster.name);
    throw deploymentFaults.DEPLOYMENT_NOT_USABLE(errorMessage(error));
  }
}

/**
 * Ends the drops of instances that have stopped or hang. Revokes each drop on the servers first, and then deletes it
 * from the store.
 */
export async function endExpiredDrops({
  store,
  engines,
  secrets,
  log,
}: Pick<Services, 'store' | 'engines' | 'secrets' | 'log'>): Promise<void> {
  for (const { clusterId, owner } of await store.read(expiredDrops)) {
    const row = await store.read((tx) => deploymentById(tx, clusterId));
    if (row === undefined) continue;
    try {
      await engines.revokeDrops(openConnection(secrets, clusterId, row.connection));
      await store.write((tx) => deleteDrop(tx, clusterId, owner));
    } catch (error) {
      const { message: reason } = error as Error;
      log.debug({ deployment: clusterId, reason }, 'an interrupted drop could not be ended');
    }
  }
}

/** Rejects changes of a deployment whose databases are being dropped. */
export const keepDropsAlone = [
  subscribe(clusterChanging, async (tx, change) => {
    const drop = change.kind === 'create' ? undefined : await dropOf(tx, change.cluster.id);
    // When the drop has expired, the operator can release the deployment even if its servers do not respond.
    if (drop !== undefined && (drop.isLive || change.kind !== 'remove')) throw beingDropped(change.cluster);
  }),
  subscribe(clusterWorkStarting, async (tx, { cluster }) => {
    if ((await dropOf(tx, cluster.id)) !== undefined) throw beingDropped(cluster);
  }),
];

const beingDropped = ({ name }: ClusterModel) => deploymentFaults.DEPLOYMENT_BEING_DROPPED(name);
