import {
  type AccountSecret,
  addSecret as addAccountSecret,
  countAccounts,
  createServiceAccount,
  deleteSecret,
  type NewSecret,
  renameAccount,
  type ServiceAccount,
  setRoles,
} from '../../../access/index.ts';
import { generalFaults } from '../../../api/faults.ts';
import type { Tx } from '../../../store/index.ts';
import type { Services } from '../../services.ts';
import { type ChangeContext, type InitialRoles, recordChange } from '../changes.ts';
import { callerFaults } from '../faults.ts';
import { MAX_ACCOUNTS, MAX_SECRETS, requireAccount, secretExpiry } from './rules.ts';
import { reviewSecrets } from './warnings.ts';

export interface AccountValues {
  readonly name: string;
  readonly description: string;
  readonly secretExpiresAfterHours: number;
}

/** Creates a service account with initial roles and a first secret. */
export async function addAccount(
  tx: Tx,
  services: Services,
  at: ChangeContext,
  { values, roles }: { readonly values: AccountValues; readonly roles: InitialRoles },
): Promise<{ account: ServiceAccount; secret: NewSecret }> {
  const { orgId } = at;
  const { name, description, secretExpiresAfterHours } = values;
  if ((await countAccounts(tx, { orgId })) >= MAX_ACCOUNTS) {
    throw callerFaults.MAX_SERVICE_ACCOUNTS_PER_ORG_EXCEEDED(MAX_ACCOUNTS, orgId);
  }
  const secretExpiresAt = await secretExpiry(tx, orgId, secretExpiresAfterHours);
  const options = { orgId, name, description, secretExpiresAt };
  const { clientId, secret } = await createServiceAccount(tx, services, options);
  for (const [place, held] of roles) await setRoles(tx, clientId, place, held);
  const account = await requireAccount(tx, orgId, clientId);
  await recordChange(tx, at, account, 'CREATED');
  await reviewSecrets(tx, clientId);
  return { account, secret };
}

/** Updates name and description of an account, if the body contains them. */
export async function changeDetails(
  tx: Tx,
  at: ChangeContext,
  account: ServiceAccount,
  details: { readonly name?: string | undefined; readonly description?: string | undefined },
): Promise<void> {
  const { name, description } = details;
  if (name === undefined && description === undefined) return;
  await renameAccount(tx, account.clientId, { name, description });
  await recordChange(tx, at, account, 'DETAILS_CHANGED');
}

/** Adds a secret. Expired secrets do not count towards the limit, and are deleted. */
export async function addSecret(
  tx: Tx,
  services: Services,
  at: ChangeContext,
  { account, hours }: { readonly account: ServiceAccount; readonly hours: number },
): Promise<{ secret: AccountSecret; made: NewSecret }> {
  const { orgId, clientId, secrets } = account;
  const expiresAt = await secretExpiry(tx, orgId, hours);
  const expired = secrets.filter(({ expires }) => expires !== undefined && expires <= tx.now);
  if (secrets.length - expired.length >= MAX_SECRETS) {
    throw callerFaults.MAX_SECRETS_PER_SERVICE_ACCOUNT_EXCEEDED(MAX_SECRETS, clientId);
  }
  for (const { id } of expired) await deleteSecret(tx, clientId, id);
  const made = await addAccountSecret(tx, services, clientId, expiresAt);
  const after = await requireAccount(tx, orgId, clientId);
  await recordChange(tx, at, after, 'SECRET_ADDED');
  await reviewSecrets(tx, clientId);
  const secret = after.secrets.find(({ id }) => id === made.id);
  if (!secret) throw new TypeError(`The secret ${made.id} was created but cannot be found`);
  return { secret, made };
}

/** Deletes a secret and the tokens issued for it. Throws `RESOURCE_NOT_FOUND`. */
export async function removeSecret(
  tx: Tx,
  at: ChangeContext,
  account: ServiceAccount,
  secretId: string,
): Promise<void> {
  if (!account.secrets.some(({ id }) => id === secretId)) {
    throw generalFaults.RESOURCE_NOT_FOUND(`Secret with id ${secretId}`);
  }
  await deleteSecret(tx, account.clientId, secretId);
  await recordChange(tx, at, account, 'SECRET_DELETED');
  await reviewSecrets(tx, account.clientId);
}
