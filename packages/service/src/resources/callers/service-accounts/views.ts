import {
  type AccountSecret,
  countAccounts,
  type GrantPlace,
  type NewSecret,
  type PrincipalOwner,
  pageOfAccounts,
  type ServiceAccount,
} from '../../../access/index.ts';
import type { PageRequest, ReadTx } from '../../../store/index.ts';
import { rolesIn } from '../rules.ts';

/**
 * Presents an account with its roles on a scope. `made` is a secret that was just created, which the response shows in
 * clear text.
 */
export function presentAccount(account: ServiceAccount, place: GrantPlace, made?: NewSecret) {
  const { clientId, created, description, grants, name, secrets } = account;
  return {
    clientId,
    createdAt: created,
    description,
    name,
    roles: rolesIn(grants, place),
    secrets: secrets.map((secret) => presentSecret(secret, made)),
  };
}

export function presentSecret({ id, created, expires, lastUsed, masked }: AccountSecret, made?: NewSecret) {
  const value = made?.id === id ? { secret: made.clear } : { maskedSecretValue: masked };
  return { createdAt: created, expiresAt: expires, id, lastUsedAt: lastUsed, ...value };
}

export async function presentAccounts(
  tx: ReadTx,
  owner: PrincipalOwner,
  page: PageRequest,
  place: GrantPlace,
) {
  const { accounts, next } = await pageOfAccounts(tx, owner, page);
  const totalCount = page.includeCount ? await countAccounts(tx, owner) : undefined;
  return { results: accounts.map((account) => presentAccount(account, place)), next, totalCount };
}
