import type { Role } from '../../../access/index.ts';
import { pageOf } from '../../../store/index.ts';
import { operation } from '../../services.ts';
import { seesProject } from '../api-keys/views.ts';
import { changeContext, removeCaller, setCallerRoles } from '../changes.ts';
import { rolesFor } from '../rules.ts';
import { addAccount, changeDetails } from './changes.ts';
import { requireAccount } from './rules.ts';
import { OrgAccountCreate, OrgAccountUpdate, OrgServiceAccount, ServiceAccountGroup } from './schema.ts';
import { presentAccount, presentAccounts } from './views.ts';

const scopeOf = ({ orgId }: { readonly orgId: string }) => ({ kind: 'org', id: orgId }) as const;

export const listServiceAccounts = operation({
  id: 'listServiceAccounts',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/orgs/{orgId}/serviceAccounts',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Lists the service accounts of an organization.',
  access: 'Organization Member',
  reply: OrgServiceAccount,
  list: 'page',
  status: 200,
  reachedFrom: { organization: 'serviceAccounts' },
  handler({ params, page, read }) {
    return read((tx) => presentAccounts(tx, { orgId: params.orgId }, page, scopeOf(params)));
  },
});

export const createServiceAccount = operation({
  id: 'createServiceAccount',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/orgs/{orgId}/serviceAccounts',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Creates a service account with one secret. Only this response contains the secret.',
  access: 'Organization Owner',
  body: OrgAccountCreate,
  reply: OrgServiceAccount,
  status: 201,
  handler(call) {
    const place = scopeOf(call.params);
    const roles = [[place, rolesFor(place, call.body.roles)]] as const;
    return call.write(async (tx) => {
      const options = { values: call.body, roles };
      const { account, secret } = await addAccount(tx, call.services, changeContext(call), options);
      return presentAccount(account, place, secret);
    });
  },
});

export const getServiceAccount = operation({
  id: 'getServiceAccount',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Returns one service account of an organization.',
  access: 'Organization Member',
  reply: OrgServiceAccount,
  status: 200,
  handler: ({ params, read }) =>
    read(async (tx) =>
      presentAccount(await requireAccount(tx, params.orgId, params.clientId), scopeOf(params)),
    ),
});

export const updateServiceAccount = operation({
  id: 'updateServiceAccount',
  tag: 'Service Accounts',
  method: 'PATCH',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Changes the name or description of a service account, or replaces its organization roles.',
  access: 'Organization Owner',
  body: OrgAccountUpdate,
  reply: OrgServiceAccount,
  status: 200,
  handler(call) {
    const { orgId, clientId } = call.params;
    const place = scopeOf(call.params);
    const roles = call.body.roles && rolesFor(place, call.body.roles);
    const at = changeContext(call);
    return call.write(async (tx) => {
      const before = await requireAccount(tx, orgId, clientId);
      await changeDetails(tx, at, before, call.body);
      if (roles !== undefined) await setCallerRoles(tx, at, before, { place, roles });
      return presentAccount(await requireAccount(tx, orgId, clientId), place);
    });
  },
});

export const deleteServiceAccount = operation({
  id: 'deleteServiceAccount',
  tag: 'Service Accounts',
  method: 'DELETE',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Deletes a service account. All instances of the service reject its tokens within one second.',
  access: 'Organization Owner',
  status: 204,
  async handler(call) {
    const { orgId, clientId } = call.params;
    await call.write(async (tx) =>
      removeCaller(tx, changeContext(call), await requireAccount(tx, orgId, clientId)),
    );
  },
});

export const listServiceAccountProjects = operation({
  id: 'listServiceAccountProjects',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/orgs/{orgId}/serviceAccounts/{clientId}/groups',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Lists the projects that the caller can see and on which a service account holds a role.',
  access: 'Organization Member',
  reply: ServiceAccountGroup,
  list: 'page',
  status: 200,
  reachedFrom: { serviceAccount: 'groups' },
  async handler({ caller, params, page, read }) {
    const { grants } = await read((tx) => requireAccount(tx, params.orgId, params.clientId));
    const seen = grants.filter(({ scope, id }) => scope === 'group' && seesProject(caller, params.orgId, id));
    const all = [...Map.groupBy(seen, ({ id }) => id)].map(([groupId, held]) => ({
      groupId,
      roles: held.map(({ role }) => role as Role),
    }));
    return pageOf(all, page);
  },
});
