import type { ReadTx, Tx } from '../../../store/index.ts';

interface Tables {
  customer_authority: { group_id: string; certificates: string };
}

/** The PEM text of the authorities that a project brought. */
export async function customerAuthorities(tx: ReadTx, groupId: string): Promise<string | undefined> {
  const query = tx.from<Tables>().selectFrom('customer_authority').select('certificates');
  return (await query.where('group_id', '=', groupId).executeTakeFirst())?.certificates;
}

export async function saveCustomerAuthorities(tx: Tx, groupId: string, certificates: string): Promise<void> {
  const insert = tx
    .from<Tables>()
    .insertInto('customer_authority')
    .values({ group_id: groupId, certificates });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ certificates })).execute();
}

export async function deleteCustomerAuthorities(tx: Tx, groupId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('customer_authority').where('group_id', '=', groupId).execute();
}
