import type { Selectable } from 'kysely';
import type { ReadTx, Tx } from '../../../store/index.ts';
import type { SearchNodeSize } from './schema.ts';

interface Tables {
  search_deployment: {
    id: string;
    group_id: string;
    cluster_id: string;
    instance_size: string;
    node_count: number;
    state: string;
    revision: number;
  };
}

/** The requested search nodes of a cluster. */
export interface SearchDeploymentRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly instanceSize: SearchNodeSize;
  readonly nodeCount: number;
  readonly state: 'IDLE' | 'UPDATING' | 'DELETING';
  /** Number of changes. A task for an older revision leaves the state unchanged. */
  readonly revision: number;
}

const readRow = (row: Selectable<Tables['search_deployment']>): SearchDeploymentRow => ({
  id: row.id,
  groupId: row.group_id,
  clusterId: row.cluster_id,
  instanceSize: row.instance_size as SearchNodeSize,
  nodeCount: row.node_count,
  state: row.state as SearchDeploymentRow['state'],
  revision: row.revision,
});

const writeRow = (row: SearchDeploymentRow): Tables['search_deployment'] => ({
  id: row.id,
  group_id: row.groupId,
  cluster_id: row.clusterId,
  instance_size: row.instanceSize,
  node_count: row.nodeCount,
  state: row.state,
  revision: row.revision,
});

export async function insertDeployment(tx: Tx, row: SearchDeploymentRow): Promise<void> {
  await tx.from<Tables>().insertInto('search_deployment').values(writeRow(row)).execute();
}

export async function updateDeployment(tx: Tx, row: SearchDeploymentRow): Promise<void> {
  const { id, ...columns } = writeRow(row);
  await tx.from<Tables>().updateTable('search_deployment').set(columns).where('id', '=', id).execute();
}

/** Returns the row for the search nodes of a cluster. A cluster has at most one such row. */
export async function deploymentOf(tx: ReadTx, clusterId: string): Promise<SearchDeploymentRow | undefined> {
  const query = tx.from<Tables>().selectFrom('search_deployment').selectAll();
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && readRow(row);
}

export async function deleteDeployment(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('search_deployment').where('cluster_id', '=', clusterId).execute();
}
