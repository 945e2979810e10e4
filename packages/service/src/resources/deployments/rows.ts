import { type Generated, type Kysely, type Selectable, sql } from 'kysely';
import { codec, prepared, type ReadTx, type Tx } from '../../store/index.ts';

interface Tables {
  adopted_deployment: Columns;
  deployment_drop: { cluster_id: string; owner: string; expires: number };
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

export async function updateConnection(tx: Tx, clusterId: string, connection: Uint8Array): Promise<void> {
  const update = tx.from<Tables>().updateTable('adopted_deployment').set({ connection });
  await update.where('cluster_id', '=', clusterId).execute();
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

/**
 * How long an instance may drop databases without renewing its claim, in milliseconds of machine time. The drop of one
 * database takes at most a minute.
 */
const TERM_MS = 90_000;

/** A drop of all databases of a deployment that has begun and has not ended. */
interface Drop {
  readonly clusterId: string;
  /** A random text that identifies the drop. */
  readonly owner: string;
  /** Whether the instance that has begun the drop may still drop databases. */
  readonly isLive: boolean;
}

const expiry = (tx: ReadTx) => sql<number>`${tx.machineTime()} + ${sql.lit(TERM_MS)}`;

const drops = (tx: ReadTx) =>
  tx
    .from<Tables>()
    .selectFrom('deployment_drop')
    .select(['cluster_id', 'owner'])
    .select(sql<number>`CASE WHEN expires > ${tx.machineTime()} THEN 1 ELSE 0 END`.as('live'));

const dropIn = ({ cluster_id, owner, live }: { cluster_id: string; owner: string; live: number }): Drop => ({
  ...{ clusterId: cluster_id, owner },
  isLive: Number(live) === 1,
});

export async function insertDrop(tx: Tx, clusterId: string, owner: string): Promise<void> {
  const values = { cluster_id: clusterId, owner, expires: expiry(tx) };
  await tx.from<Tables>().insertInto('deployment_drop').values(values).execute();
}

/** Extends a drop. Returns false if it has expired or ended. */
export async function renewDrop(tx: Tx, clusterId: string, owner: string): Promise<boolean> {
  const update = tx
    .from<Tables>()
    .updateTable('deployment_drop')
    .set({ expires: expiry(tx) });
  const own = update.where('cluster_id', '=', clusterId).where('owner', '=', owner);
  const { numUpdatedRows } = await own.where('expires', '>', tx.machineTime()).executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/**
 * Ends the drop with this owner or, without `owner`, any drop of the deployment. Returns false if it has already ended.
 */
export async function deleteDrop(tx: Tx, clusterId: string, owner?: string): Promise<boolean> {
  const rows = tx.from<Tables>().deleteFrom('deployment_drop').where('cluster_id', '=', clusterId);
  const own = owner === undefined ? rows : rows.where('owner', '=', owner);
  const { numDeletedRows } = await own.executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export async function dropOf(tx: ReadTx, clusterId: string): Promise<Drop | undefined> {
  const row = await drops(tx).where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && dropIn(row);
}

/** Returns the drops whose instances have stopped renewing them. */
export async function expiredDrops(tx: ReadTx): Promise<Drop[]> {
  return (await drops(tx).where('expires', '<=', tx.machineTime()).execute()).map(dropIn);
}
