import type { ReadTx, Tx } from '../../store/index.ts';

interface Tables {
  kubernetes_user: { cluster_id: string; name: string };
}

/** Returns the names of the users that the Percona operator may have created on the servers of a cluster. */
export async function userNames(tx: ReadTx, clusterId: string): Promise<string[]> {
  const query = tx.from<Tables>().selectFrom('kubernetes_user').select('name');
  return (await query.where('cluster_id', '=', clusterId).execute()).map(({ name }) => name);
}

export async function insertUsers(tx: Tx, clusterId: string, names: readonly string[]): Promise<void> {
  const rows = names.map((name) => ({ cluster_id: clusterId, name }));
  const insert = tx.from<Tables>().insertInto('kubernetes_user').values(rows);
  await insert.onConflict((conflict) => conflict.doNothing()).execute();
}

export async function deleteUsers(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('kubernetes_user').where('cluster_id', '=', clusterId).execute();
}
