import { codec, type ReadTx, type Tx } from '../../../../store/index.ts';
import type { SnapshotRow } from '../../model/snapshots/rows.ts';

interface Tables {
  backup_deleted: { id: string; group_id: string; cluster_id: string; sharded: number };
}

/** A snapshot that a caller deleted. The row is kept until the snapshot would have expired. */
interface DeletedSnapshot {
  readonly clusterId: string;
  readonly sharded: boolean;
}

export async function rememberDeleted(tx: Tx, { id, groupId, clusterId, facts }: SnapshotRow): Promise<void> {
  const sharded = codec.boolean.write(facts.sharded !== undefined);
  const row = { id, group_id: groupId, cluster_id: clusterId, sharded };
  await tx.from<Tables>().insertInto('backup_deleted').values(row).execute();
}

export async function forgetDeleted(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_deleted').where('id', '=', id).execute();
}

export async function deletedSnapshot(tx: ReadTx, id: string): Promise<DeletedSnapshot | undefined> {
  const query = tx.from<Tables>().selectFrom('backup_deleted').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && { clusterId: row.cluster_id, sharded: codec.boolean.read(row.sharded) };
}
