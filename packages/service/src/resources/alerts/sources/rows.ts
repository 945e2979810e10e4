import { codec, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  told_election: { cluster_id: string; through: number };
}

/** Returns the time of the newest recorded election of a cluster; 0 if there was none. */
export async function reportedElection(tx: ReadTx, clusterId: string): Promise<number> {
  const query = tx.from<Tables>().selectFrom('told_election').select('through');
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row === undefined ? 0 : codec.date.read(row.through).getTime();
}

export async function setReportedElection(tx: Tx, clusterId: string, through: number): Promise<void> {
  const columns = { through: codec.date.write(new Date(through)) };
  const insert = tx
    .from<Tables>()
    .insertInto('told_election')
    .values({ cluster_id: clusterId, ...columns });
  await insert.onConflict((of) => of.column('cluster_id').doUpdateSet(columns)).execute();
}

export async function forgetElections(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('told_election').where('cluster_id', '=', clusterId).execute();
}
