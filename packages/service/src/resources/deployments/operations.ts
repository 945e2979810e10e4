import { errorMessage } from '@portolan/foundation/thrown';
import Type from 'typebox';
import { badValue } from '../../api/faults.ts';
import { pageOf, type Tx } from '../../store/index.ts';
import { clusterById, isRegion, newMark, requestRemoval } from '../clusters/index.ts';
import { requireProject } from '../projects/index.ts';
import { extension } from '../services.ts';
import { accountsOf } from './account-rows.ts';
import { adopt, beginDrop, reconnect } from './changes.ts';
import { openConnection } from './connections.ts';
import { carryOutDrop } from './drops.ts';
import { deploymentFaults } from './faults.ts';
import { presentDeployment } from './present.ts';
import { allDeployments, deleteDrop } from './rows.ts';
import { checkNotAdopted, checkNotOwn, checkSameServers, requireAdopted } from './rules.ts';
import { AdoptedDeployment, DeploymentConnection, NewDeployment } from './schema.ts';

const common = { tag: 'Operator', surface: 'operator', access: 'operator' } as const;

export const listAdoptedDeployments = extension({
  ...common,
  id: 'listAdoptedDeployments',
  summary: 'Lists the adopted deployments, oldest first, without their databases and users.',
  method: 'GET',
  path: '/deployments',
  reply: AdoptedDeployment,
  list: 'page',
  status: 200,
  handler: ({ page, read }) =>
    read(async (tx) => {
      const all = pageOf(await allDeployments(tx), page);
      const results = [];
      for (const row of all.results) {
        const cluster = await clusterById(tx, row.clusterId);
        if (cluster !== undefined) {
          const accounts = await accountsOf(tx, row.clusterId);
          results.push(presentDeployment({ row, cluster, accounts }));
        }
      }
      return { ...all, results };
    }),
});

export const adoptDeployment = extension({
  ...common,
  id: 'adoptDeployment',
  summary:
    'Adopts a deployment that runs outside Portolan. The service inspects the deployment and shows it as a cluster, without changing it.',
  method: 'POST',
  path: '/deployments',
  body: NewDeployment,
  reply: AdoptedDeployment,
  status: 201,
  async handler(call) {
    const { body, services, read, write, actor } = call;
    const {
      groupId,
      name,
      providerName: provider = 'AWS',
      regionName: region = 'US_EAST_1',
      ...connection
    } = body;
    if (!isRegion(provider, region)) throw badValue('regionName', 'is not a region of the provider');
    await read((tx) => requireProject(tx, groupId));
    const look = await usable(services.engines.look(connection));
    // Check this before the next step, which would end a drop by another cluster, and again in the transaction.
    await read(async (tx) => {
      await checkNotOwn(tx, services.naming, look.found);
      await checkNotAdopted(tx, look.found);
    });
    // End the drop of the databases that another service, or an earlier adoption, may have begun.
    await usable(services.engines.revokeDrops(connection));
    const mark = newMark(services);
    const wanted = { groupId, name, mark, found: look.found, place: { provider, region }, connection };
    return write(async (tx) => {
      await requireProject(tx, groupId);
      await checkNotAdopted(tx, look.found);
      const { id } = await adopt(tx, services, wanted, actor);
      return presentDeployment(await requireAdopted(tx, id), look);
    });
  },
});

/** Throws DEPLOYMENT_NOT_USABLE with the reason if `work` fails. */
async function usable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw deploymentFaults.DEPLOYMENT_NOT_USABLE(errorMessage(error));
  }
}

export const getAdoptedDeployment = extension({
  ...common,
  id: 'getAdoptedDeployment',
  summary: 'Inspects an adopted deployment, and returns its state with its databases and users.',
  method: 'GET',
  path: '/deployments/{deploymentId}',
  reply: AdoptedDeployment,
  status: 200,
  async handler({ params, services, read }) {
    const { deploymentId } = params;
    const adopted = await read((tx) => requireAdopted(tx, deploymentId));
    const { connection } = adopted.row;
    // If the deployment does not reply, the response has its last known state and the reason.
    const look = await services.engines
      .look(openConnection(services.secrets, deploymentId, connection))
      .catch(() => undefined);
    return presentDeployment(adopted, look);
  },
});

export const updateAdoptedDeployment = extension({
  ...common,
  id: 'updateAdoptedDeployment',
  summary:
    'Replaces the connection string and the certificates with which the service connects to an adopted deployment, for example after a change of the password. The service first connects with the new values, which must lead to at least one of the known servers. Certificates that the body omits are removed.',
  method: 'PATCH',
  path: '/deployments/{deploymentId}',
  body: DeploymentConnection,
  reply: AdoptedDeployment,
  status: 200,
  async handler({ params, body: connection, services, read, write, actor }) {
    const { deploymentId } = params;
    await read((tx) => requireAdopted(tx, deploymentId));
    const look = await usable(services.engines.look(connection));
    return write(async (tx) => {
      const adopted = await requireAdopted(tx, deploymentId);
      checkSameServers(adopted, look.found);
      await checkNotAdopted(tx, look.found, deploymentId);
      await reconnect(tx, services, adopted.cluster, { connection, actor });
      return presentDeployment(adopted, look);
    });
  },
});

export const releaseDeployment = extension({
  ...common,
  id: 'releaseDeployment',
  summary:
    'Releases an adopted deployment. The service removes its cluster. By default, the servers and data of the deployment do not change.',
  method: 'DELETE',
  path: '/deployments/{deploymentId}',
  query: Type.Object({
    dropDatabases: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Whether to drop all databases of the deployment first, except `admin`, `config` and `local`. The cluster must be IDLE. If the databases cannot be dropped, the deployment remains adopted.',
      }),
    ),
  }),
  status: 204,
  async handler({ params, query, services, write, actor }) {
    const { deploymentId } = params;
    const remove = async (tx: Tx) =>
      requestRemoval(tx, (await requireAdopted(tx, deploymentId)).cluster, actor);
    if (query.dropDatabases !== true) return write(remove);
    await rehearse(write, remove);
    const owner = services.random.bytes(12).toString('hex');
    const { row, cluster } = await write(async (tx) => {
      const adopted = await requireAdopted(tx, deploymentId);
      await beginDrop(tx, adopted.cluster, { actor, owner });
      return adopted;
    });
    const connection = openConnection(services.secrets, deploymentId, row.connection);
    await carryOutDrop(services, write, { cluster, owner, connection });
    return write(async (tx) => {
      if (!(await deleteDrop(tx, deploymentId, owner)))
        throw deploymentFaults.DEPLOYMENT_DROP_ENDED(cluster.name);
      await remove(tx);
    });
  },
});

/** Throws the error that a change would throw. Stores nothing. */
async function rehearse(
  write: (work: (tx: Tx) => Promise<void>) => Promise<void>,
  change: (tx: Tx) => Promise<void>,
): Promise<void> {
  const end = new Error('the change was only rehearsed');
  const rehearsal = write(async (tx) => {
    await change(tx);
    // The error rolls the transaction back.
    throw end;
  });
  await rehearsal.catch((error) => {
    if (error !== end) throw error;
  });
}
