import type { Kysely } from 'kysely';
import { codec, prepared, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  adopted_deployment: Columns;
}

interface Columns {
  cluster_id: string;
  created: number;
  connection: Uint8Array;
}

export interface DeploymentRow {
  readonly clusterId: string;
  readonly created: Date;
  /** The sealed connection of the deployment. */
  readonly connection: Uint8Array;
}

const modelOf = ({ cluster_id, created, connection }: Columns): DeploymentRow => ({
  clusterId: cluster_id,
  created: codec.date.read(created),
  connection,
});

export async function insertDeployment(tx: Tx, row: DeploymentRow): Promise<void> {
  const { clusterId: cluster_id, created, connection } = row;
  const columns = { cluster_id, created: codec.date.write(created), connection };
  await tx.from<Tables>().insertInto('adopted_deployment').values(columns).execute();
}

export async function deleteDeployment(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('adopted_deployment').where('cluster_id', '=', clusterId).execute();
}

export async function deploymentById(tx: ReadTx, clusterId: string): Promise<DeploymentRow | undefined> {
  const query = tx.from<Tables>().selectFrom('adopted_deployment').selectAll();
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && modelOf(row);
}

/** Oldest first. */
export async function allDeployments(tx: ReadTx): Promise<DeploymentRow[]> {
  return (await all.all(tx, {})).map(modelOf);
}

const all = prepared((db: Kysely<Tables>) =>
  db.selectFrom('adopted_deployment').selectAll().orderBy('cluster_id'),
);
