import type { Role } from '../../../access/index.ts';
import { operation } from '../../services.ts';
import { changeContext, removeFromProject, setCallerRoles } from '../changes.ts';
import { assertMayManage, orgIdOf, rolesFor, rolesIn } from '../rules.ts';
import { addAccount, changeDetails } from './changes.ts';
import { requireAccount } from './rules.ts';
import { GroupAccountCreate, GroupAccountUpdate, GroupServiceAccount, RolesInProject } from './schema.ts';
import { presentAccount, presentAccounts } from './views.ts';

const scopeOf = ({ groupId }: { readonly groupId: string }) => ({ kind: 'group', id: groupId }) as const;

export const listProjectServiceAccounts = operation({
  id: 'listProjectServiceAccounts',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/groups/{groupId}/serviceAccounts',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Lists the service accounts that hold a role on a project.',
  access: 'Project Read Only',
  reply: GroupServiceAccount,
  list: 'page',
  status: 200,
  reachedFrom: { project: 'serviceAccounts' },
  handler: ({ params, page, read }) =>
    read((tx) => presentAccounts(tx, { groupId: params.groupId }, page, scopeOf(params))),
});

export const createProjectServiceAccount = operation({
  id: 'createProjectServiceAccount',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/groups/{groupId}/serviceAccounts',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary:
    'Creates a service account with roles on a project. The account also gets the role `ORG_MEMBER` in the organization.',
  access: 'Project Owner',
  body: GroupAccountCreate,
  reply: GroupServiceAccount,
  status: 201,
  handler(call) {
    const place = scopeOf(call.params);
    const organization = { kind: 'org', id: orgIdOf(call) } as const;
    const roles = [
      [organization, ['ORG_MEMBER']],
      [place, withAtLeast('GROUP_READ_ONLY', rolesFor(place, call.body.roles))],
    ] as const;
    return call.write(async (tx) => {
      const options = { values: call.body, roles };
      const { account, secret } = await addAccount(tx, call.services, changeContext(call), options);
      return presentAccount(account, place, secret);
    });
  },
});

export const getProjectServiceAccount = operation({
  id: 'getProjectServiceAccount',
  tag: 'Service Accounts',
  method: 'GET',
  path: '/groups/{groupId}/serviceAccounts/{clientId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Returns one service account of a project.',
  access: 'Project Read Only',
  reply: GroupServiceAccount,
  status: 200,
  handler(call) {
    const place = scopeOf(call.params);
    const { clientId } = call.params;
    return call.read(async (tx) =>
      presentAccount(await requireAccount(tx, orgIdOf(call), clientId, place), place),
    );
  },
});

export const updateProjectServiceAccount = operation({
  id: 'updateProjectServiceAccount',
  tag: 'Service Accounts',
  method: 'PATCH',
  path: '/groups/{groupId}/serviceAccounts/{clientId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Changes the name or description of a service account, or replaces its roles on the project.',
  access: 'Project Owner',
  body: GroupAccountUpdate,
  reply: GroupServiceAccount,
  status: 200,
  handler(call) {
    const place = scopeOf(call.params);
    const { name, description, roles: names } = call.body;
    const roles = names && withAtLeast('GROUP_READ_ONLY', rolesFor(place, names));
    const at = changeContext(call);
    return call.write(async (tx) => {
      const before = await requireAccount(tx, at.orgId, call.params.clientId, place);
      if (name !== undefined || description !== undefined) assertMayManage(call, before.grants);
      await changeDetails(tx, at, before, { name, description });
      if (roles !== undefined) await setCallerRoles(tx, at, before, { place, roles });
      return presentAccount(await requireAccount(tx, at.orgId, before.clientId, place), place);
    });
  },
});

export const addProjectServiceAccount = operation({
  id: 'addProjectServiceAccount',
  tag: 'Service Accounts',
  method: 'POST',
  path: '/groups/{groupId}/serviceAccounts/{clientId}:invite',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Grants roles on a project to a service account of the organization.',
  access: 'Project Owner',
  body: RolesInProject,
  reply: GroupServiceAccount,
  status: 200,
  handler(call) {
    const place = scopeOf(call.params);
    const at = changeContext(call);
    return call.write(async (tx) => {
      const before = await requireAccount(tx, at.orgId, call.params.clientId);
      const roles = rolesFor(place, [...rolesIn(before.grants, place), ...call.body.roles]);
      await setCallerRoles(tx, at, before, { place, roles });
      return presentAccount(await requireAccount(tx, at.orgId, before.clientId, place), place);
    });
  },
});

export const removeProjectServiceAccount = operation({
  id: 'deleteProjectServiceAccount',
  tag: 'Service Accounts',
  method: 'DELETE',
  path: '/groups/{groupId}/serviceAccounts/{clientId}',
  versions: { '2024-08-05': 'same', '2025-03-12': 'same' },
  summary: 'Revokes all roles of a service account on a project. The account remains in the organization.',
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    const place = scopeOf(call.params);
    await call.write(async (tx) => {
      const account = await requireAccount(tx, orgIdOf(call), call.params.clientId, place);
      await removeFromProject(tx, changeContext(call), account, place.id);
    });
  },
});

/** Adds `role` if the list is empty, because a service account belongs to a project only while it has a role there. */
function withAtLeast(role: Role, roles: readonly Role[]): readonly Role[] {
  return roles.length > 0 ? roles : [role];
}
