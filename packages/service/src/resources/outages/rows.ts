import type { Selectable } from 'kysely';
import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { OutageState, Region } from './states.ts';

interface Tables {
  outage_simulation: {
    id: string;
    group_id: string;
    cluster_id: string;
    cluster_name: string;
    state: string;
    filters: string;
    cut: string;
    requested: number;
    majority_lost: number;
  };
}

export interface OutageRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterId: string;
  readonly clusterName: string;
  readonly state: OutageState;
  readonly regions: readonly Region[];
  /** Ids of the members that the simulation stops: the members in the affected regions. */
  readonly cut: readonly string[];
  readonly requested: Date;
  /** Whether the outage has left a replica set of the cluster without a primary. */
  readonly majorityLost: boolean;
}

const regions = codec.json<readonly Region[]>();
const cut = codec.json<readonly string[]>();

function readRow(row: Selectable<Tables['outage_simulation']>): OutageRow {
  return {
    id: row.id,
    groupId: row.group_id,
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    state: row.state as OutageState,
    regions: regions.read(row.filters),
    cut: cut.read(row.cut),
    requested: codec.date.read(row.requested),
    majorityLost: codec.boolean.read(row.majority_lost),
  };
}

function writeRow(row: OutageRow): Tables['outage_simulation'] {
  return {
    id: row.id,
    group_id: row.groupId,
    cluster_id: row.clusterId,
    cluster_name: row.clusterName,
    state: row.state,
    filters: regions.write(row.regions),
    cut: cut.write(row.cut),
    requested: codec.date.write(row.requested),
    majority_lost: codec.boolean.write(row.majorityLost),
  };
}

export async function insertOutage(tx: Tx, row: OutageRow): Promise<void> {
  await tx.from<Tables>().insertInto('outage_simulation').values(writeRow(row)).execute();
}

export async function updateOutage(tx: Tx, row: OutageRow): Promise<void> {
  const { id, ...columns } = writeRow(row);
  await tx.from<Tables>().updateTable('outage_simulation').set(columns).where('id', '=', id).execute();
}

export async function deleteOutage(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('outage_simulation').where('id', '=', id).execute();
}

export async function outageById(tx: ReadTx, id: string): Promise<OutageRow | undefined> {
  const query = tx.from<Tables>().selectFrom('outage_simulation').selectAll();
  const row = await query.where('id', '=', id).executeTakeFirst();
  return row && readRow(row);
}

/** Returns the outage of a cluster. A cluster has at most one. */
export async function outageOf(tx: ReadTx, clusterId: string): Promise<OutageRow | undefined> {
  const query = tx.from<Tables>().selectFrom('outage_simulation').selectAll();
  const row = await query.where('cluster_id', '=', clusterId).executeTakeFirst();
  return row && readRow(row);
}

/** Returns the outages of a project's clusters, oldest first. */
export async function outagesIn(tx: ReadTx, groupId: string): Promise<readonly OutageRow[]> {
  const query = tx.from<Tables>().selectFrom('outage_simulation').selectAll();
  const rows = await query.where('group_id', '=', groupId).orderBy('id').execute();
  return rows.map(readRow);
}
