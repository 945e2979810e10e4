import {
  createApiKey,
  createServiceAccount,
  grantRole,
  type Role,
  removeGrantsOf,
  removePrincipalsOf,
} from '../../access/index.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import { dropCounts, type Tx, touchScope } from '../../store/index.ts';
import { makeOrganizationOwner } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import { organizationRemoving } from './hooks.ts';
import {
  deleteOrganization as deleteRow,
  insertOrganization,
  type OrganizationRow,
  updateOrganization as updateRow,
} from './rows.ts';
import { assertHasNoProjects, type InitialAccess, requireOrganization } from './rules.ts';
import type { FirstServiceAccount } from './service-accounts.ts';

export interface NewOrganization {
  readonly name: string;
  readonly skipDefaultAlerts: boolean;
}

export async function addOrganization(
  tx: Tx,
  actor: Actor,
  organization: NewOrganization,
): Promise<OrganizationRow> {
  const row: OrganizationRow = { id: tx.id(), created: tx.now, ...organization };
  await insertOrganization(tx, row);
  await recordEvent(tx, { type: 'ORG_CREATED', orgId: row.id, actor });
  return row;
}

/** Creates an organization with its first caller or owner. Only this result contains the caller's secret in clear text. */
export async function addOrganizationWithAccess(
  tx: Tx,
  services: Services,
  organization: NewOrganization & InitialAccess & { readonly actor: Actor },
) {
  const { name, skipDefaultAlerts, apiKey, serviceAccount, ownerId, actor } = organization;
  const row = await addOrganization(tx, actor, { name, skipDefaultAlerts });
  const happened = { orgId: row.id, actor };
  if (ownerId !== undefined) await makeOrganizationOwner(tx, { ...happened, userId: ownerId });
  return {
    row,
    apiKey: apiKey && (await addFirstKey(tx, services, { ...happened, ...apiKey })),
    serviceAccount: serviceAccount && (await addFirstAccount(tx, services, happened, serviceAccount)),
  };
}

interface FirstKey {
  readonly orgId: string;
  readonly actor: Actor;
  readonly desc: string;
  readonly roles: readonly Role[];
}

async function addFirstKey(tx: Tx, services: Services, { orgId, actor, desc, roles }: FirstKey) {
  const key = await createApiKey(tx, services, { orgId, description: desc });
  for (const role of roles) await grantRole(tx, key.id, { kind: 'org', id: orgId }, role);
  const details = { targetPublicKey: key.publicKey };
  await recordEvent(tx, { type: 'API_KEY_CREATED', orgId, actor, details });
  return { ...key, desc, roles: roles.map((roleName) => ({ orgId, roleName })) };
}

const MS_PER_HOUR = 3_600_000;

async function addFirstAccount(
  tx: Tx,
  services: Services,
  { orgId, actor }: Pick<FirstKey, 'orgId' | 'actor'>,
  { name, description, roles, secretExpiresAfterHours }: FirstServiceAccount,
) {
  const secretExpiresAt = new Date(tx.now.getTime() + secretExpiresAfterHours * MS_PER_HOUR);
  const input = { orgId, name, description, secretExpiresAt };
  const { clientId, secret } = await createServiceAccount(tx, services, input);
  for (const role of roles) await grantRole(tx, clientId, { kind: 'org', id: orgId }, role);
  const details = { targetUsername: clientId };
  await recordEvent(tx, { type: 'SERVICE_ACCOUNT_CREATED', orgId, actor, details });
  const shown = { createdAt: tx.now, expiresAt: secretExpiresAt, id: secret.id, secret: secret.clear };
  return { clientId, createdAt: tx.now, description, name, roles, secrets: [shown] };
}

export async function changeOrganization(
  tx: Tx,
  before: OrganizationRow,
  after: OrganizationRow,
  actor: Actor,
): Promise<void> {
  await updateRow(tx, after);
  if (after.name !== before.name) await recordEvent(tx, { type: 'ORG_RENAMED', orgId: after.id, actor });
}

/** Deletes an organization without projects, together with its keys and service accounts. */
export async function removeOrganization(tx: Tx, orgId: string): Promise<void> {
  await requireOrganization(tx, orgId);
  await assertHasNoProjects(tx, orgId);
  await tx.publish(organizationRemoving, { orgId });
  const scope = { kind: 'org', id: orgId } as const;
  await removePrincipalsOf(tx, orgId);
  await removeGrantsOf(tx, scope);
  await deleteRow(tx, orgId);
  await dropCounts(tx, scope);
  touchScope(tx, scope);
}
