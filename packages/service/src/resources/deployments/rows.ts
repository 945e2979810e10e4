import type { Generated, Kysely, Selectable } from 'kysely';
import { codec, prepared, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  adopted_deployment: Columns;
}

interface Columns {
  cluster_id: string;
  created: number;
  connection: Uint8Array;
  access_revision: Generated<number>;
}

export interface DeploymentRow {
  readonly clusterId: string;
  readonly created: Date;
  /** The encrypted connection string of the deployment. */
  readonly connection: Uint8Array;
}

const modelOf = ({ cluster_id, created, connection }: Selectable<Columns>): DeploymentRow => ({
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

/** Returns all adopted deployments, oldest first. */
export async function allDeployments(tx: ReadTx): Promise<DeploymentRow[]> {
  return (await all.all(tx, {})).map(modelOf);
}

const all = prepared((db: Kysely<Tables>) =>
  db.selectFrom('adopted_deployment').selectAll().orderBy('cluster_id'),
);

/**
 * Records that the accounts of a revision are being applied to a deployment. Returns false if a newer revision is being
 * applied, or has been applied. Returns undefined if the deployment is no longer adopted.
 */
export async function beginAccess(tx: Tx, clusterId: string, revision: number): Promise<boolean | undefined> {
  const row = tx.from<Tables>().selectFrom('adopted_deployment').select('access_revision');
  const found = await row.where('cluster_id', '=', clusterId).executeTakeFirst();
  if (found === undefined) return undefined;
  if (Number(found.access_revision) === revision) return true;
  if (Number(found.access_revision) > revision) return false;
  const update = tx.from<Tables>().updateTable('adopted_deployment').set({ access_revision: revision });
  await update.where('cluster_id', '=', clusterId).execute();
  return true;
}
