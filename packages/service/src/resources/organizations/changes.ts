import {
  createApiKey,
  grantRole,
  type Role,
  removeGrantsOf,
  removePrincipalsOf,
} from '../../access/index.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import { dropCounts, type Tx, touchScope } from '../../store/index.ts';
import { makeOrganizationOwner } from '../accounts/index.ts';
import type { Services } from '../services.ts';
import {
  deleteOrganization as deleteRow,
  insertOrganization,
  type OrganizationRow,
  updateOrganization as updateRow,
} from './rows.ts';
import { assertHasNoProjects, type InitialAccess, requireOrganization } from './rules.ts';

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

/** Creates an organization with its first key or owner. Only this result contains the private key in clear text. */
export async function addOrganizationWithAccess(
  tx: Tx,
  services: Services,
  organization: NewOrganization & InitialAccess & { readonly actor: Actor },
) {
  const { name, skipDefaultAlerts, apiKey, ownerId, actor } = organization;
  const row = await addOrganization(tx, actor, { name, skipDefaultAlerts });
  const happened = { orgId: row.id, actor };
  if (ownerId !== undefined) await makeOrganizationOwner(tx, { ...happened, userId: ownerId });
  return { row, apiKey: apiKey && (await addFirstKey(tx, services, { ...happened, ...apiKey })) };
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
  const scope = { kind: 'org', id: orgId } as const;
  await removePrincipalsOf(tx, orgId);
  await removeGrantsOf(tx, scope);
  await deleteRow(tx, orgId);
  await dropCounts(tx, scope);
  touchScope(tx, scope);
}
