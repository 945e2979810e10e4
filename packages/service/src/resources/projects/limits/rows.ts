import type { Kysely } from 'kysely';
import { prepared, type ReadTx, type Tx } from '../../../store/index.ts';

interface Tables {
  project_limit: { group_id: string; name: string; value: number };
}

const byName = prepared((db: Kysely<Tables>, of: { groupId: string; name: string }) =>
  db
    .selectFrom('project_limit')
    .select('value')
    .where('group_id', '=', of.groupId)
    .where('name', '=', of.name),
);

/** Returns the value of a limit that was set for a project; undefined if the default applies. */
export async function limitValue(tx: ReadTx, groupId: string, name: string): Promise<number | undefined> {
  const row = await byName.first(tx, { groupId, name });
  return row && Number(row.value);
}

export async function saveLimit(tx: Tx, groupId: string, name: string, value: number): Promise<void> {
  const row = { group_id: groupId, name, value };
  const insert = tx.from<Tables>().insertInto('project_limit').values(row);
  await insert.onConflict((of) => of.columns(['group_id', 'name']).doUpdateSet({ value })).execute();
}

export async function deleteLimit(tx: Tx, groupId: string, name: string): Promise<void> {
  const query = tx.from<Tables>().deleteFrom('project_limit').where('group_id', '=', groupId);
  await query.where('name', '=', name).execute();
}
