import Type from 'typebox';
import {
  createApiKey,
  grantRole,
  type Role,
  removeGrantsOf,
  removePrincipalsOf,
  visibleScopes,
} from '../../access/index.ts';
import { generalFaults } from '../../api/faults.ts';
import { assertUnchanged } from '../../api/read-only.ts';
import { type Actor, recordEvent } from '../../events/index.ts';
import { dropCounts, type Tx, touchScope } from '../../store/index.ts';
import { makeOrganizationOwner } from '../accounts/index.ts';
import { operation, type Services } from '../services.ts';
import {
  countOrganizations,
  deleteOrganization as deleteRow,
  findOrganization,
  insertOrganization,
  type OrganizationRow,
  pageOfOrganizations,
  updateOrganization as updateRow,
} from './rows.ts';
import { checkEmpty, checkOrganizationName, organizationFaults } from './rules.ts';
import { Organization, OrganizationCreate, OrganizationCreated } from './schema.ts';

function present(row: OrganizationRow) {
  return { id: row.id, isDeleted: false, name: row.name, skipDefaultAlertsSettings: row.skipDefaultAlerts };
}

export const listOrganizations = operation('listOrganizations', {
  summary: 'Lists the organizations that the caller can see.',
  access: 'any caller',
  query: Type.Object({
    name: Type.Optional(Type.String({ description: 'Only those whose name begins with this, in any case.' })),
  }),
  reply: Organization,
  list: 'page',
  status: 200,
  reachedFrom: { root: 'orgs' },
  async handler(call) {
    const ids = [...visibleScopes(call.caller).orgs];
    const { query, page } = call;
    return call.read(async (tx) => {
      const { rows, next } = await pageOfOrganizations(tx, ids, query.name, page);
      const totalCount = page.includeCount ? await countOrganizations(tx, ids, query.name) : undefined;
      return { results: rows.map(present), next, totalCount };
    });
  },
});

export const createOrganization = operation('createOrganization', {
  summary: 'Makes an organization, and a key to reach it with.',
  access: 'any caller',
  bodyAccess: { role: 'Organization Owner', of: "the caller's own organization" },
  body: OrganizationCreate,
  reply: OrganizationCreated,
  status: 201,
  async handler(call) {
    const { body, caller } = call;
    if (!call.may('Organization Owner', { kind: 'org', id: caller.orgId })) {
      throw organizationFaults.API_KEY_CANNOT_CREATE_ORG();
    }
    checkOrganizationName(body.name);
    if (body.federationSettingsId !== undefined)
      throw generalFaults.INVALID_ATTRIBUTE('federationSettingsId');
    const { apiKey, orgOwnerId } = body;
    // Nobody could ever reach an organization that begins without a key or an owner.
    if (apiKey === undefined && orgOwnerId === undefined) {
      throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('apiKey', 'orgOwnerId');
    }
    return call.write(async (tx) => {
      const row = await addOrganization(tx, body.name, body.skipDefaultAlertsSettings ?? false);
      const happened = { orgId: row.id, actor: call.actor };
      await recordEvent(tx, { type: 'ORG_CREATED', ...happened });
      if (orgOwnerId !== undefined) await makeOrganizationOwner(tx, { ...happened, userId: orgOwnerId });
      return {
        apiKey: apiKey && (await addFirstKey(tx, call.services, { ...happened, ...apiKey })),
        organization: present(row),
        orgOwnerId,
        skipDefaultAlertsSettings: row.skipDefaultAlerts,
      };
    });
  },
});

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

/** Makes the row; the caller records the event, with its actor. */
export async function addOrganization(
  tx: Tx,
  name: string,
  skipDefaultAlerts: boolean,
): Promise<OrganizationRow> {
  const row: OrganizationRow = { id: tx.id(), name, created: tx.now, skipDefaultAlerts };
  await insertOrganization(tx, row);
  return row;
}

export const getOrganization = operation('getOrganization', {
  summary: 'Answers one organization.',
  access: 'Organization Member',
  reply: Organization,
  status: 200,
  reachedFrom: { project: 'organization' },
  async handler(call) {
    return present(
      await call.read((tx) => existing(findOrganization(tx, call.params.orgId), call.params.orgId)),
    );
  },
});

export const updateOrganization = operation('updateOrganization', {
  summary: 'Renames an organization.',
  access: 'Organization Owner',
  body: Organization,
  reply: Organization,
  status: 200,
  async handler(call) {
    const { orgId } = call.params;
    checkOrganizationName(call.body.name);
    return call.write(async (tx) => {
      const before = await existing(findOrganization(tx, orgId), orgId);
      assertUnchanged(call, present(before));
      const after: OrganizationRow = {
        ...before,
        name: call.body.name,
        skipDefaultAlerts: call.body.skipDefaultAlertsSettings ?? before.skipDefaultAlerts,
      };
      await updateRow(tx, after);
      if (after.name !== before.name) {
        await recordEvent(tx, { type: 'ORG_RENAMED', orgId, actor: call.actor });
      }
      return present(after);
    });
  },
});

export const deleteOrganization = operation('deleteOrganization', {
  summary: 'Deletes an organization that holds no projects, with its keys and accounts.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { orgId } = call.params;
    await call.write(async (tx) => {
      await existing(findOrganization(tx, orgId), orgId);
      await checkEmpty(tx, orgId);
      await removePrincipalsOf(tx, orgId);
      await removeGrantsOf(tx, { kind: 'org', id: orgId });
      await deleteRow(tx, orgId);
      await dropCounts(tx, { kind: 'org', id: orgId });
      touchScope(tx, { kind: 'org', id: orgId });
    });
  },
});

async function existing(row: Promise<OrganizationRow | undefined>, id: string): Promise<OrganizationRow> {
  const found = await row;
  if (!found) throw organizationFaults.ORG_NOT_FOUND(id);
  return found;
}
