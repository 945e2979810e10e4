import { codec, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  sample_dataset_load: {
    id: string;
    group_id: string;
    cluster_name: string;
    state: string;
    created: number;
    completed: number | null;
    message: string | null;
  };
}

/** One load of the sample data. The row outlives the cluster. */
export interface LoadRow {
  readonly id: string;
  readonly groupId: string;
  readonly clusterName: string;
  readonly state: 'WORKING' | 'COMPLETED' | 'FAILED';
  readonly created: Date;
  readonly completed: Date | undefined;
  readonly message: string | undefined;
}

export async function insertLoad(tx: Tx, row: LoadRow): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('sample_dataset_load')
    .values({
      id: row.id,
      group_id: row.groupId,
      cluster_name: row.clusterName,
      state: row.state,
      created: codec.date.write(row.created),
      completed: codec.optionalDate.write(row.completed),
      message: row.message ?? null,
    })
    .execute();
}

/** Stores the result of a load. `message` is set if the load failed. */
export async function endLoad(tx: Tx, id: string, message?: string): Promise<void> {
  const state = message === undefined ? 'COMPLETED' : 'FAILED';
  const columns = { state, completed: codec.date.write(tx.now), message: message ?? null };
  await tx.from<Tables>().updateTable('sample_dataset_load').set(columns).where('id', '=', id).execute();
}

export async function findLoad(tx: ReadTx, groupId: string, id: string): Promise<LoadRow | undefined> {
  const query = tx.from<Tables>().selectFrom('sample_dataset_load').selectAll().where('id', '=', id);
  const row = await query.where('group_id', '=', groupId).executeTakeFirst();
  return (
    row && {
      id: row.id,
      groupId: row.group_id,
      clusterName: row.cluster_name,
      state: row.state as LoadRow['state'],
      created: codec.date.read(row.created),
      completed: codec.optionalDate.read(row.completed),
      message: row.message ?? undefined,
    }
  );
}
