import Type from 'typebox';
import { visibleScopes } from '../../access/index.ts';
import { sharedOrganizations, userFaults } from '../accounts/index.ts';
import { operation } from '../services.ts';
import { addOrganizationWithAccess, changeOrganization, removeOrganization } from './changes.ts';
import { organizationFaults } from './faults.ts';
import { organizationCreated } from './hooks.ts';
import { countOrganizations, type OrganizationRow, pageOfOrganizations } from './rows.ts';
import { checkAccess, checkOrganizationName, requireOrganization } from './rules.ts';
import { Organization, OrganizationCreate, OrganizationCreated } from './schema.ts';

function presentOrganization(row: OrganizationRow) {
  return { id: row.id, isDeleted: false, name: row.name, skipDefaultAlertsSettings: row.skipDefaultAlerts };
}

export const listOrganizations = operation({
  id: 'listOrganizations',
  tag: 'Organizations',
  method: 'GET',
  path: '/orgs',
  summary: 'Lists the organizations that the caller can see.',
  access: 'any caller',
  query: Type.Object({
    name: Type.Optional(
      Type.String({
        description: 'Returns only organizations whose name begins with this text. Case is ignored.',
      }),
    ),
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
      return { results: rows.map(presentOrganization), next, totalCount };
    });
  },
});

export const createOrganization = operation({
  id: 'createOrganization',
  tag: 'Organizations',
  method: 'POST',
  path: '/orgs',
  summary:
    'Creates an organization. A new API key, a new service account or an existing user becomes its owner.',
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
    const { apiKey, federationSettingsId, orgOwnerId, serviceAccount } = body;
    checkAccess({ apiKey, serviceAccount, ownerId: orgOwnerId });
    return call.write(async (tx) => {
      if (orgOwnerId !== undefined && !(await sharedOrganizations(tx, caller, orgOwnerId)))
        throw userFaults.USER_NOT_FOUND(orgOwnerId);
      const created = await addOrganizationWithAccess(tx, call.services, {
        name: body.name,
        skipDefaultAlerts: body.skipDefaultAlertsSettings ?? false,
        apiKey,
        serviceAccount,
        ownerId: orgOwnerId,
        actor: call.actor,
      });
      await tx.publish(organizationCreated, {
        orgId: created.row.id,
        federationSettingsId,
        actor: call.actor,
        owns: (id) => call.may('Organization Owner', { kind: 'org', id }),
      });
      return {
        apiKey: created.apiKey,
        federationSettingsId,
        organization: presentOrganization(created.row),
        orgOwnerId,
        serviceAccount: created.serviceAccount,
        skipDefaultAlertsSettings: created.row.skipDefaultAlerts,
      };
    });
  },
});

export const getOrganization = operation({
  id: 'getOrganization',
  tag: 'Organizations',
  method: 'GET',
  path: '/orgs/{orgId}',
  summary: 'Returns one organization.',
  access: 'Organization Member',
  reply: Organization,
  status: 200,
  reachedFrom: { project: 'organization' },
  handler: (call) =>
    call.read(async (tx) => presentOrganization(await requireOrganization(tx, call.params.orgId))),
});

export const updateOrganization = operation({
  id: 'updateOrganization',
  tag: 'Organizations',
  method: 'PATCH',
  path: '/orgs/{orgId}',
  summary: 'Renames an organization.',
  access: 'Organization Owner',
  body: Organization,
  reply: Organization,
  status: 200,
  async handler(call) {
    const { orgId } = call.params;
    checkOrganizationName(call.body.name);
    return call.write(async (tx) => {
      const before = await requireOrganization(tx, orgId);
      const after: OrganizationRow = {
        ...before,
        name: call.body.name,
        skipDefaultAlerts: call.body.skipDefaultAlertsSettings ?? before.skipDefaultAlerts,
      };
      await changeOrganization(tx, before, after, call.actor);
      return presentOrganization(after);
    });
  },
});

export const deleteOrganization = operation({
  id: 'deleteOrganization',
  tag: 'Organizations',
  method: 'DELETE',
  path: '/orgs/{orgId}',
  summary:
    'Deletes an organization with its API keys and service accounts. The organization must have no projects.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    await call.write((tx) => removeOrganization(tx, call.params.orgId));
  },
});
