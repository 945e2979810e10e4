import { sql } from 'kysely';
import type { Tx } from '../../store/index.ts';
import type { AccessTables } from '../rows.ts';

/** Requests of one caller from one address since the last write. */
export interface AddressUse {
  readonly principalId: string;
  readonly address: string;
  readonly count: number;
  /** Time of the last of the counted requests, in service time. */
  readonly at: number;
}

export async function addEntryUse(tx: Tx, cidr: string, use: AddressUse): Promise<void> {
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

export async function setSecretUse(tx: Tx, id: string, at: number): Promise<void> {
  const update = tx.from<AccessTables>().updateTable('service_account_secret').set({ last_used_at: at });
  await update.where('id', '=', id).execute();
}
