import type { ReadTx, Tx } from '../../store/index.ts';

/** Projects that have turned off the managed threshold of slow operations. */
interface Tables {
  fixed_slow_threshold: { group_id: string };
}

export async function isThresholdManaged(tx: ReadTx, groupId: string): Promise<boolean> {
  const query = tx.from<Tables>().selectFrom('fixed_slow_threshold').select('group_id');
  return (await query.where('group_id', '=', groupId).executeTakeFirst()) === undefined;
}

export async function manageThreshold(tx: Tx, groupId: string, isManaged: boolean): Promise<void> {
  const rows = tx.from<Tables>();
  if (isManaged) {
    await rows.deleteFrom('fixed_slow_threshold').where('group_id', '=', groupId).execute();
  } else {
    const insert = rows.insertInto('fixed_slow_threshold').values({ group_id: groupId });
    await insert.onConflict((of) => of.doNothing()).execute();
  }
}
