import { sql } from 'kysely';
import type { ReadTx, Tx } from '../../../store/index.ts';

interface Tables {
  /** Names of clusters that were deleted under the policy of their project. */
  backup_taken_name: { group_id: string; name: string };
}

export async function takeName(tx: Tx, groupId: string, name: string): Promise<void> {
  await tx
    .from<Tables>()
    .insertInto('backup_taken_name')
    .values({ group_id: groupId, name })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Whether a cluster with this name was deleted under the policy of the project. Names that differ only by case count as
 * equal.
 */
export async function hasTakenName(tx: ReadTx, groupId: string, name: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('backup_taken_name').select('name');
  const isNamed = sql<boolean>`lower(name) = ${name.toLowerCase()}`;
  const row = await query.where('group_id', '=', groupId).where(isNamed).executeTakeFirst();
  return row !== undefined;
}

/** Makes the names available again when the policy ends. */
export async function freeNames(tx: Tx, groupId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('backup_taken_name').where('group_id', '=', groupId).execute();
}
