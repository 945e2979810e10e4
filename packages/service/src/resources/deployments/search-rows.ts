import type { ReadTx, Tx } from '../../store/index.ts';

interface Tables {
  adopted_search_index: {
    cluster_id: string;
    id: string;
    server_id: string;
    version: number;
    server_version: number;
  };
}

/** A search index that the service has created or changed on the servers of a deployment. */
interface SearchRow {
  readonly id: string;
  readonly serverId: string;
  readonly version: number;
  readonly serverVersion: number;
}

export async function searchIndexesOf(tx: ReadTx, clusterId: string): Promise<readonly SearchRow[]> {
  const query = tx.from<Tables>().selectFrom('adopted_search_index').selectAll();
  const rows = await query.where('cluster_id', '=', clusterId).orderBy('id').execute();
  return rows.map(({ id, server_id, version, server_version }) => ({
    ...{ id, serverId: server_id },
    ...{ version, serverVersion: server_version },
  }));
}

export async function putSearchIndex(
  tx: Tx,
  clusterId: string,
  { id, serverId, version, serverVersion }: SearchRow,
): Promise<void> {
  const values = { server_id: serverId, version, server_version: serverVersion };
  await tx
    .from<Tables>()
    .insertInto('adopted_search_index')
    .values({ cluster_id: clusterId, id, ...values })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'id']).doUpdateSet(values))
    .execute();
}

export async function deleteSearchIndex(tx: Tx, clusterId: string, id: string): Promise<void> {
  const from = tx.from<Tables>().deleteFrom('adopted_search_index');
  await from.where('cluster_id', '=', clusterId).where('id', '=', id).execute();
}

/** Deletes the records of a deployment's search indexes. The indexes stay on its servers. */
export async function deleteSearchIndexes(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('adopted_search_index').where('cluster_id', '=', clusterId).execute();
}
