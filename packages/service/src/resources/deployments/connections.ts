import type { AdoptedConnection, Adoptions } from '../../adopted/index.ts';
import type { ReadTx } from '../../store/index.ts';
import { clusterById, clustersIn } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { accountBook } from './accounts.ts';
import { allDeployments, deploymentById, dropOf } from './rows.ts';
import { deleteSearchIndex, putSearchIndex, searchIndexesOf } from './search-rows.ts';

/**
 * Returns the encryption context of a connection string. Connection strings contain passwords, so they are stored
 * encrypted. An encrypted connection string can be decrypted only for its own cluster.
 */
const contextOf = (id: string) => `adopted deployment ${id}`;

type Secrets = Services['secrets'];

export function sealConnection(secrets: Secrets, id: string, connection: AdoptedConnection): Uint8Array {
  return secrets.seal(JSON.stringify(connection), contextOf(id));
}

export function openConnection(secrets: Secrets, id: string, sealed: Uint8Array): AdoptedConnection {
  return JSON.parse(secrets.open(sealed, contextOf(id)).toString()) as AdoptedConnection;
}

/**
 * Returns the certificate authority of an adopted deployment, in PEM. Undefined if it was adopted without one, or if
 * there is no such deployment.
 */
export async function authorityOf(tx: ReadTx, secrets: Secrets, id: string): Promise<string | undefined> {
  const row = await deploymentById(tx, id);
  return row && openConnection(secrets, id, row.connection).caCertificate;
}

/** Equal connections that were encrypted separately have different versions. */
const versionOf = (sealed: Uint8Array) => Buffer.from(sealed).toString('base64');

/** Gives the engine for adopted deployments access to the rows of these deployments. */
export function adoptions({ store, secrets }: Pick<Services, 'store' | 'secrets'>): Adoptions {
  return {
    versions: () =>
      store.read(async (tx) => {
        const rows = await allDeployments(tx);
        return new Map(rows.map(({ clusterId, connection }) => [clusterId, versionOf(connection)]));
      }),
    find: (id) =>
      store.read(async (tx) => {
        const row = await deploymentById(tx, id);
        if (row === undefined) return undefined;
        const cluster = await clusterById(tx, id);
        const connection = openConnection(secrets, id, row.connection);
        const isDropped = (await dropOf(tx, id)) !== undefined;
        const version = versionOf(row.connection);
        return { connection, version, found: cluster?.placement.found, isDropped };
      }),
    inProject: (groupId) =>
      store.read(async (tx) => {
        const ids = new Set((await allDeployments(tx)).map(({ clusterId }) => clusterId));
        return ids.size === 0 ? [] : (await clustersIn(tx, groupId)).filter(({ id }) => ids.has(id));
      }),
    accounts: accountBook(store),
    searchIndexes: {
      of: (id) => store.read((tx) => searchIndexesOf(tx, id)),
      save: (id, record) =>
        store.write(async (tx) => {
          if ((await deploymentById(tx, id)) !== undefined) await putSearchIndex(tx, id, record);
        }),
      remove: (id, indexId) => store.write((tx) => deleteSearchIndex(tx, id, indexId)),
    },
  };
}
