import { pageOf } from '../../../store/index.ts';
import { extension } from '../../services.ts';
import { changeConnection, disconnect } from '../changes.ts';
import { presentConnection, presentConnections } from '../present.ts';
import { requireConnection, requireFederation } from '../rules.ts';
import { ConnectedOrganization, ConnectedOrganizationUpdate } from '../schema.ts';

const tag = 'Federated Authentication';
const PATH = '/federationSettings/{federationSettingsId}/connectedOrgConfigs';
const ONE = `${PATH}/{orgId}` as const;
const access = 'Organization Owner';

export const listConnectedOrganizations = extension({
  id: 'listConnectedOrgConfigs',
  tag,
  method: 'GET',
  path: PATH,
  summary: 'Lists the organizations that are connected to federation settings.',
  access: 'any caller',
  bodyAccess: { role: access, of: 'one of the connected organizations' },
  reply: ConnectedOrganization,
  list: 'page',
  status: 200,
  handler: (call) =>
    call.read(async (tx) => {
      const rows = await requireFederation(tx, call.caller, call.params);
      const page = pageOf(rows, call.page);
      return { ...page, results: await presentConnections(tx, page.results) };
    }),
});

export const getConnectedOrganization = extension({
  id: 'getConnectedOrgConfig',
  tag,
  method: 'GET',
  path: ONE,
  summary: 'Returns how an organization uses its federation settings.',
  access,
  reply: ConnectedOrganization,
  status: 200,
  handler: (call) => call.read(async (tx) => presentConnection(tx, await requireConnection(tx, call.params))),
});

export const updateConnectedOrganization = extension({
  id: 'updateConnectedOrgConfig',
  tag,
  method: 'PATCH',
  path: ONE,
  summary:
    'Changes how an organization uses its federation settings. Without `identityProviderId`, the organization is disconnected from its identity provider; without `domainRestrictionEnabled`, domains are not restricted. Other absent fields keep their values.',
  access,
  body: ConnectedOrganizationUpdate,
  reply: ConnectedOrganization,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const before = await requireConnection(tx, call.params);
      return presentConnection(tx, await changeConnection(tx, before, call.body, call.actor));
    }),
});

export const removeConnectedOrganization = extension({
  id: 'removeConnectedOrgConfig',
  tag,
  method: 'DELETE',
  path: ONE,
  summary: 'Disconnects an organization from federation settings to which other organizations are connected.',
  access,
  status: 204,
  handler: (call) =>
    call.write(async (tx) => disconnect(tx, await requireConnection(tx, call.params), call.actor)),
});
