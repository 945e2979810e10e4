import { sql } from 'kysely';
import { fetchPage, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';
import { type AccessTables, type ApiKeyRow, type PrincipalOwner, principalsIn } from '../rows.ts';

function keysOf(tx: ReadTx, owner: PrincipalOwner) {
  const keys = tx.from<AccessTables>().selectFrom('api_key');
  return 'orgId' in owner
    ? keys.where('org_id', '=', owner.orgId)
    : keys.where('id', 'in', principalsIn(tx, owner.groupId));
}

export async function pageOfKeyRows(tx: ReadTx, owner: PrincipalOwner, range: PageRange) {
  return fetchPage(keysOf(tx, owner).selectAll(), 'id', range);
}

/** Counts the API keys of an owner. There are a few hundred at most, so counting them is cheap. */
export async function countKeys(tx: ReadTx, owner: PrincipalOwner): Promise<number> {
  const query = keysOf(tx, owner).select(sql<number>`count(*)`.as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export async function findKeyRow(tx: ReadTx, id: string): Promise<ApiKeyRow | undefined> {
  return tx.from<AccessTables>().selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function setKeyDescription(tx: Tx, id: string, description: string): Promise<void> {
  await tx.from<AccessTables>().updateTable('api_key').set({ description }).where('id', '=', id).execute();
}
