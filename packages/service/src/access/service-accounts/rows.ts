import { sql } from 'kysely';
import { fetchPage, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';
import {
  type AccessTables,
  type PrincipalOwner,
  principalsIn,
  type SecretRow,
  type ServiceAccountRow,
} from '../rows.ts';

function accountsOf(tx: ReadTx, owner: PrincipalOwner) {
  const accounts = tx.from<AccessTables>().selectFrom('service_account');
  return 'orgId' in owner
    ? accounts.where('org_id', '=', owner.orgId)
    : accounts.where('id', 'in', principalsIn(tx, owner.groupId));
}

export async function pageOfAccountRows(tx: ReadTx, owner: PrincipalOwner, range: PageRange) {
  return fetchPage(accountsOf(tx, owner).selectAll(), 'id', range);
}

/** Counts the service accounts of an owner. There are 200 at most, so counting them is cheap. */
export async function countAccounts(tx: ReadTx, owner: PrincipalOwner): Promise<number> {
  const query = accountsOf(tx, owner).select(sql<number>`count(*)`.as('count'));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

export async function updateAccountRow(
  tx: Tx,
  id: string,
  columns: Partial<Pick<ServiceAccountRow, 'name' | 'description'>>,
): Promise<void> {
  await tx.from<AccessTables>().updateTable('service_account').set(columns).where('id', '=', id).execute();
}

/** Returns the secrets of several accounts, oldest first. */
export async function secretsOfAll(tx: ReadTx, ids: readonly string[]): Promise<SecretRow[]> {
  if (ids.length === 0) return [];
  const query = tx.from<AccessTables>().selectFrom('service_account_secret').selectAll();
  return query.where('service_account_id', 'in', ids).orderBy('id').execute();
}

export async function deleteSecretRow(tx: Tx, id: string): Promise<void> {
  await tx.from<AccessTables>().deleteFrom('service_account_secret').where('id', '=', id).execute();
}
