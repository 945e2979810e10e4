import { generalFaults } from '../../api/faults.ts';
import { operation } from '../services.ts';
import { addRole, changedIdentity, changeRole, removeRole } from './changes.ts';
import { checkAssumable } from './credentials.ts';
import { presentAll, presentWithUsages } from './list.ts';
import { rolesOf } from './rows.ts';
import { requireAccessRole } from './rules.ts';
import { AccessRole, AccessRoles } from './schema.ts';

export const listRoles = operation({
  id: 'listCloudProviderAccessRoles',
  tag: 'Cloud Provider Access',
  method: 'GET',
  path: '/groups/{groupId}/cloudProviderAccess',
  summary: 'Lists the access roles of a project.',
  access: 'Project Owner',
  reply: AccessRoles,
  status: 200,
  reachedFrom: { project: 'cloudProviderAccess' },
  handler: (call) => call.read(async (tx) => presentAll(tx, await rolesOf(tx, call.params.groupId))),
});

export const createRole = operation({
  id: 'createCloudProviderAccessRole',
  tag: 'Cloud Provider Access',
  method: 'POST',
  path: '/groups/{groupId}/cloudProviderAccess',
  summary: 'Creates an access role. An AWS role must be authorized before it can be used.',
  access: 'Project Owner',
  body: AccessRole,
  reply: AccessRole,
  status: 200,
  handler(call) {
    const at = { groupId: call.params.groupId, random: call.services.random };
    return call.write(async (tx) => presentWithUsages(tx, await addRole(tx, call.actor, at, call.body)));
  },
});

export const getRole = operation({
  id: 'getCloudProviderAccessRole',
  tag: 'Cloud Provider Access',
  method: 'GET',
  path: '/groups/{groupId}/cloudProviderAccess/{roleId}',
  summary: 'Returns one access role.',
  access: 'Project Owner',
  reply: AccessRole,
  status: 200,
  handler: (call) =>
    call.read(async (tx) =>
      presentWithUsages(tx, await requireAccessRole(tx, call.params.groupId, call.params.roleId)),
    ),
});

export const authorizeRole = operation({
  id: 'authorizeCloudProviderAccessRole',
  tag: 'Cloud Provider Access',
  method: 'PATCH',
  path: '/groups/{groupId}/cloudProviderAccess/{roleId}',
  summary: 'Authorizes an AWS access role, or changes the service principal of an Azure access role.',
  access: 'Project Owner',
  body: AccessRole,
  reply: AccessRole,
  status: 200,
  async handler(call) {
    const { groupId, roleId } = call.params;
    // Do not call the STS within a transaction. The transaction below checks that the role has not changed since.
    const current = await call.read((tx) => requireAccessRole(tx, groupId, roleId));
    await checkAssumable(call.services.clouds, changedIdentity(current, call.body));
    return call.write(async (tx) => {
      const before = await requireAccessRole(tx, groupId, roleId);
      return presentWithUsages(tx, await changeRole(tx, call.actor, before, call.body));
    });
  },
});

export const deauthorizeRole = operation({
  id: 'deauthorizeCloudProviderAccessRole',
  tag: 'Cloud Provider Access',
  method: 'DELETE',
  path: '/groups/{groupId}/cloudProviderAccess/{cloudProvider}/{roleId}',
  summary: 'Deletes an unused access role.',
  access: 'Project Owner',
  status: 204,
  handler: (call) =>
    call.write(async (tx) => {
      const { groupId, cloudProvider, roleId } = call.params;
      const row = await requireAccessRole(tx, groupId, roleId);
      if (row.identity.provider !== cloudProvider)
        throw generalFaults.INVALID_PATH_PARAMETER('cloudProvider');
      await removeRole(tx, call.actor, row);
    }),
});
