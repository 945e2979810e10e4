import type { ReadTx, Tx } from '../../store/index.ts';

interface Tables {
  adopted_account: Columns;
}

/** A user or a role that the service has created, is creating, or could not create on the servers of a deployment. */
export interface AccountRow {
  readonly kind: 'ROLE' | 'USER';
  readonly database: string;
  readonly name: string;
  readonly state: 'MADE' | 'MAKING' | 'NONE';
  readonly mark: string;
  readonly digest: string;
  readonly problem?: string;
}

interface Columns {
  cluster_id: string;
  kind: string;
  database_name: string;
  name: string;
  state: string;
  mark: string;
  digest: string;
  problem: string | null;
}

const recordOf = ({ kind, database_name, name, state, mark, digest, problem }: Columns): AccountRow => ({
  ...{ kind: kind as AccountRow['kind'], database: database_name, name },
  ...{ state: state as AccountRow['state'], mark, digest },
  ...(problem === null ? {} : { problem }),
});

/** Returns the accounts of a deployment, by kind and name. */
export async function accountsOf(tx: ReadTx, clusterId: string): Promise<AccountRow[]> {
  const query = tx.from<Tables>().selectFrom('adopted_account').selectAll();
  const rows = await query
    .where('cluster_id', '=', clusterId)
    .orderBy('kind')
    .orderBy('database_name')
    .orderBy('name')
    .execute();
  return rows.map(recordOf);
}

export async function putAccount(tx: Tx, clusterId: string, record: AccountRow): Promise<void> {
  const { kind, database, name, state, mark, digest, problem } = record;
  const values = { state, mark, digest, problem: problem ?? null };
  await tx
    .from<Tables>()
    .insertInto('adopted_account')
    .values({ cluster_id: clusterId, kind, database_name: database, name, ...values })
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'kind', 'database_name', 'name']).doUpdateSet(values),
    )
    .execute();
}

export async function deleteAccount(
  tx: Tx,
  clusterId: string,
  { kind, database, name }: Pick<AccountRow, 'database' | 'kind' | 'name'>,
): Promise<void> {
  await tx
    .from<Tables>()
    .deleteFrom('adopted_account')
    .where('cluster_id', '=', clusterId)
    .where('kind', '=', kind)
    .where('database_name', '=', database)
    .where('name', '=', name)
    .execute();
}

/** Deletes the records of a deployment's accounts. The accounts stay on its servers. */
export async function deleteAccounts(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('adopted_account').where('cluster_id', '=', clusterId).execute();
}
