import {
  type AccountSecret,
  addSecret as addRow,
  countAccounts,
  createServiceAccount,
  findAccount,
  type GrantPlace,
  type NewSecret,
  type PrincipalOwner,
  pageOfAccounts,
  type Role,
  deleteSecret as removeRow,
  renameAccount,
  type ServiceAccount,
  setRoles,
} from '../../../access/index.ts';
import { generalFaults, violation } from '../../../api/faults.ts';
import type { Call } from '../../../api/operation.ts';
import type { PageRequest, ReadTx, Tx } from '../../../store/index.ts';
import { readSettings } from '../../organizations/index.ts';
import type { Services } from '../../services.ts';
import { recordFor } from '../events.ts';
import { callerFaults } from '../faults.ts';
import { orgIdOf, rolesIn } from '../roles.ts';
import type { ServiceAccountCreate, ServiceAccountUpdate } from './schema.ts';

/** Behaviour reference 1.3. */
const MAX_ACCOUNTS = 200;
const MAX_SECRETS = 2;

const MS_PER_HOUR = 3_600_000;

/** An account as it is shown at a place, with the roles that it holds there; `made` is shown in clear. */
export function present(account: ServiceAccount, place: GrantPlace, made?: NewSecret) {
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

export async function listed(tx: ReadTx, owner: PrincipalOwner, page: PageRequest, place: GrantPlace) {
  const { accounts, next } = await pageOfAccounts(tx, owner, page);
  const totalCount = page.includeCount ? await countAccounts(tx, owner) : undefined;
  return { results: accounts.map((account) => present(account, place)), next, totalCount };
}

/** An account of the organization; `place`: one that holds a role there. Throws `RESOURCE_NOT_FOUND`. */
export async function existing(
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

/** Makes an account that holds roles at each of some places, with its first secret and its event. */
export async function makeAccount(
  tx: Tx,
  call: Call<Services, unknown, unknown, ServiceAccountCreate>,
  grants: readonly (readonly [place: GrantPlace, roles: readonly Role[]])[],
) {
  const orgId = orgIdOf(call);
  const { name, description, secretExpiresAfterHours } = call.body;
  if ((await countAccounts(tx, { orgId })) >= MAX_ACCOUNTS) {
    throw callerFaults.MAX_SERVICE_ACCOUNTS_PER_ORG_EXCEEDED(MAX_ACCOUNTS, orgId);
  }
  const secretExpiresAt = await expiry(tx, orgId, secretExpiresAfterHours);
  const making = { orgId, name, description, secretExpiresAt };
  const { clientId, secret } = await createServiceAccount(tx, call.services, making);
  for (const [place, roles] of grants) await setRoles(tx, clientId, place, roles);
  const account = await existing(tx, orgId, clientId);
  await recordFor(tx, call, 'SERVICE_ACCOUNT_CREATED', account);
  return { account, secret };
}

/** Changes name and description, and the roles at a place, with an event for each kind of change. */
export async function changeAccount(
  tx: Tx,
  call: Call<Services, unknown, unknown, ServiceAccountUpdate>,
  account: ServiceAccount,
  place: GrantPlace,
  roles: readonly Role[] | undefined,
): Promise<void> {
  const { name, description } = call.body;
  if (name !== undefined || description !== undefined) {
    await renameAccount(tx, account.clientId, { name, description });
    await recordFor(tx, call, 'SERVICE_ACCOUNT_DETAILS_CHANGED', account);
  }
  if (roles !== undefined && (await setRoles(tx, account.clientId, place, roles))) {
    await recordFor(tx, call, 'SERVICE_ACCOUNT_ROLES_CHANGED', account);
  }
}

/** Adds a secret; those that have expired make room for it. */
export async function makeSecret(
  tx: Tx,
  call: Call<Services, unknown, unknown, { readonly secretExpiresAfterHours: number }>,
  { orgId, clientId, secrets }: ServiceAccount,
) {
  const expiresAt = await expiry(tx, orgId, call.body.secretExpiresAfterHours);
  const expired = secrets.filter(({ expires }) => expires !== undefined && expires <= tx.now);
  if (secrets.length - expired.length >= MAX_SECRETS) {
    throw callerFaults.MAX_SECRETS_PER_SERVICE_ACCOUNT_EXCEEDED(MAX_SECRETS, clientId);
  }
  for (const { id } of expired) await removeRow(tx, clientId, id);
  const made = await addRow(tx, call.services, clientId, expiresAt);
  const account = await existing(tx, orgId, clientId);
  await recordFor(tx, call, 'SERVICE_ACCOUNT_SECRET_ADDED', account);
  const secret = account.secrets.find(({ id }) => id === made.id);
  if (!secret) throw new TypeError(`The secret ${made.id} is not there although it was just made`);
  return presentSecret(secret, made);
}

/** Deletes a secret, with the tokens that were got with it. Throws `RESOURCE_NOT_FOUND`. */
export async function removeSecret(
  tx: Tx,
  call: Call<Services>,
  account: ServiceAccount,
  secretId: string,
): Promise<void> {
  if (!account.secrets.some(({ id }) => id === secretId)) {
    throw generalFaults.RESOURCE_NOT_FOUND(`Secret with id ${secretId}`);
  }
  await removeRow(tx, account.clientId, secretId);
  await recordFor(tx, call, 'SERVICE_ACCOUNT_SECRET_DELETED', account);
}

async function expiry(tx: ReadTx, orgId: string, hours: number): Promise<Date> {
  const { maxServiceAccountSecretValidityInHours: most } = await readSettings(tx, orgId);
  if (most !== undefined && hours > most) {
    throw violation(
      'secretExpiresAfterHours',
      `must not exceed ${most}, the most that the organization allows`,
    );
  }
  return new Date(tx.now.getTime() + hours * MS_PER_HOUR);
}
