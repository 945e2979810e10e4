import { sql } from 'kysely';
import type { Tx } from '../../store/index.ts';
import { type AccessTables, addressesOf } from '../rows.ts';
import type { Use } from './uses.ts';

export const blocksOf = addressesOf;

export async function noteEntryUse(tx: Tx, cidr: string, use: Use): Promise<void> {
  await tx
    .from<AccessTables>()
    .updateTable('access_list_entry')
    .set({
      request_count: sql`request_count + ${use.count}`,
      last_used_at: use.at,
      last_used_address: use.address,
    })
    .where('principal_id', '=', use.principalId)
    .where('cidr_block', '=', cidr)
    .execute();
}

export async function noteSecretUse(tx: Tx, id: string, at: number): Promise<void> {
  const update = tx.from<AccessTables>().updateTable('service_account_secret').set({ last_used_at: at });
  await update.where('id', '=', id).execute();
}
