import { codec, type PageRange, type ReadTx, type Tx } from '../../store/index.ts';
import type { Grant } from '../caller.ts';
import { cacheKeys } from '../credentials.ts';
import {
  findServiceAccount,
  grantsOfAll,
  type PrincipalOwner,
  type SecretRow,
  type ServiceAccountRow,
} from '../rows.ts';
import { deleteSecretRow, pageOfAccountRows, secretsOfAll, updateAccountRow } from './rows.ts';

export { countAccounts } from './rows.ts';

export interface ServiceAccount {
  readonly clientId: string;
  readonly orgId: string;
  readonly name: string;
  readonly description: string;
  readonly created: Date;
  readonly grants: readonly Grant[];
  readonly secrets: readonly AccountSecret[];
}

/** A secret as shown after its creation. */
export interface AccountSecret {
  readonly id: string;
  readonly masked: string;
  readonly created: Date;
  /** Expiry in service time; undefined if the secret never expires. */
  readonly expires: Date | undefined;
  /** Time of the last use, in service time. */
  readonly lastUsed: Date | undefined;
}

const readSecretRow = (row: SecretRow): AccountSecret => ({
  id: row.id,
  masked: row.mask,
  created: codec.date.read(row.created_at),
  expires: codec.optionalDate.read(row.expires_at),
  lastUsed: codec.optionalDate.read(row.last_used_at),
});

async function withGrantsAndSecrets(
  tx: ReadTx,
  rows: readonly ServiceAccountRow[],
): Promise<ServiceAccount[]> {
  const ids = rows.map(({ id }) => id);
  const grants = await grantsOfAll(tx, ids);
  const secrets = Map.groupBy(await secretsOfAll(tx, ids), (row) => row.service_account_id);
  return rows.map((row) => ({
    clientId: row.id,
    orgId: row.org_id,
    name: row.name,
    description: row.description,
    created: codec.date.read(row.created_at),
    grants: grants.get(row.id) ?? [],
    secrets: (secrets.get(row.id) ?? []).map(readSecretRow),
  }));
}

/**
 * Returns the service accounts of an organization, or the service accounts with a role on a project. The oldest
 * account is first.
 */
export async function pageOfAccounts(tx: ReadTx, owner: PrincipalOwner, range: PageRange) {
  const { rows, next } = await pageOfAccountRows(tx, owner, range);
  return { accounts: await withGrantsAndSecrets(tx, rows), next };
}

export async function findAccount(tx: ReadTx, clientId: string): Promise<ServiceAccount | undefined> {
  const row = await findServiceAccount(tx, clientId);
  return row && (await withGrantsAndSecrets(tx, [row]))[0];
}

export async function renameAccount(
  tx: Tx,
  clientId: string,
  change: { readonly name?: string | undefined; readonly description?: string | undefined },
): Promise<void> {
  const columns = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  if (Object.keys(columns).length > 0) await updateAccountRow(tx, clientId, columns);
}

/** Deletes a secret, and thereby revokes the tokens that were requested with it. */
export async function deleteSecret(tx: Tx, clientId: string, secretId: string): Promise<void> {
  await deleteSecretRow(tx, secretId);
  tx.touch(cacheKeys.principal(clientId));
}
