import { findAccount, type GrantPlace, type ServiceAccount } from '../../../access/index.ts';
import { generalFaults, violation } from '../../../api/faults.ts';
import type { Call } from '../../../api/operation.ts';
import type { ReadTx } from '../../../store/index.ts';
import { readSettings } from '../../organizations/index.ts';
import type { Services } from '../../services.ts';
import { assertMayManage, orgIdOf, rolesIn } from '../rules.ts';

/** The limits in docs/contract/access.md 1.3. */
export const MAX_ACCOUNTS = 200;
export const MAX_SECRETS = 2;

const MS_PER_HOUR = 3_600_000;

/**
 * Returns a service account of the organization. With `place`, the account must have a role there. Throws
 * `RESOURCE_NOT_FOUND`.
 */
export async function requireAccount(
  tx: ReadTx,
  orgId: string,
  clientId: string,
  place?: GrantPlace,
): Promise<ServiceAccount> {
  const account = await findAccount(tx, clientId);
  const isThere = place === undefined || (account && rolesIn(account.grants, place).length > 0);
  if (account?.orgId !== orgId || !isThere) {
    throw generalFaults.RESOURCE_NOT_FOUND(`Service account with id ${clientId}`);
  }
  return account;
}

/** Returns the account that the path names. Throws if the caller may not manage its secrets and addresses. */
export async function requireOwnAccount(
  tx: ReadTx,
  call: Call<Services, { readonly clientId: string }>,
): Promise<ServiceAccount> {
  const { scope, params } = call;
  if (scope?.kind !== 'group') return requireAccount(tx, orgIdOf(call), params.clientId);
  const account = await requireAccount(tx, scope.orgId, params.clientId, scope);
  assertMayManage(call, account.grants);
  return account;
}

/**
 * Returns the expiry of a secret that is created now and is valid for `hours`. Throws if the organization does not
 * allow this number of hours.
 */
export async function secretExpiry(tx: ReadTx, orgId: string, hours: number): Promise<Date> {
  const { maxServiceAccountSecretValidityInHours: most } = await readSettings(tx, orgId);
  if (most !== undefined && hours > most) {
    throw violation('secretExpiresAfterHours', `must not exceed ${most}, the maximum of the organization`);
  }
  return new Date(tx.now.getTime() + hours * MS_PER_HOUR);
}
