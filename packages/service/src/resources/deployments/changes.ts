import type { AdoptedConnection } from '../../adopted/index.ts';
import type { Actor } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { addFound, type ClusterModel, type NewFound } from '../clusters/index.ts';
import { ADOPTED_HOST, ensureHost } from '../engine-hosts/index.ts';
import type { Services } from '../services.ts';
import { sealConnection } from './connections.ts';
import { insertDeployment } from './rows.ts';

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
