import { generalFaults } from '../../../api/faults.ts';
import { operation } from '../../services.ts';
import { addRole, changeRole, removeRole } from './changes.ts';
import { roleFaults } from './faults.ts';
import { type RoleRow, rolesOf } from './rows.ts';
import { requireRole } from './rules.ts';
import { CustomRole, CustomRoleUpdate } from './schema.ts';

const presentRole = ({ name, document }: RoleRow) => ({ roleName: name, ...document });

export const listCustomRoles = operation({
  id: 'listCustomDatabaseRoles',
  tag: 'Custom Database Roles',
  method: 'GET',
  path: '/groups/{groupId}/customDBRoles/roles',
  summary: 'Lists the custom database roles of a project.',
  access: 'Project Read Only',
  reply: CustomRole,
  list: 'array',
  status: 200,
  reachedFrom: { project: 'customRoles' },
  handler: (call) => call.read(async (tx) => (await rolesOf(tx, call.params.groupId)).map(presentRole)),
});

export const createCustomRole = operation({
  id: 'createCustomDatabaseRole',
  tag: 'Custom Database Roles',
  method: 'POST',
  path: '/groups/{groupId}/customDBRoles/roles',
  summary: 'Creates a custom role for database users of the project.',
  access: 'Project Database Access Admin',
  body: CustomRole,
  reply: CustomRole,
  status: 200,
  async handler({ params, body, services, write, actor }) {
    const { groupId } = params;
    const account = { kind: 'ROLE', database: 'admin', name: body.roleName } as const;
    const cluster = await services.engines.takenIn(groupId, account, () => true);
    if (cluster !== undefined) throw roleFaults.ROLE_NAME_TAKEN_ON_SERVERS(body.roleName, cluster);
    return write(async (tx) => presentRole(await addRole(tx, actor, groupId, body)));
  },
});

export const getCustomRole = operation({
  id: 'getCustomDatabaseRole',
  tag: 'Custom Database Roles',
  method: 'GET',
  path: '/groups/{groupId}/customDBRoles/roles/{roleName}',
  summary: 'Returns one custom role.',
  access: 'Project Read Only',
  reply: CustomRole,
  status: 200,
  handler: (call) => call.read(async (tx) => presentRole((await requireRole(tx, call.params)).row)),
});

export const updateCustomRole = operation({
  id: 'updateCustomDatabaseRole',
  tag: 'Custom Database Roles',
  method: 'PATCH',
  path: '/groups/{groupId}/customDBRoles/roles/{roleName}',
  summary:
    'Updates a custom role. The change applies to all users who hold the role. Omitted fields keep their values.',
  access: 'Project Database Access Admin',
  body: CustomRoleUpdate,
  reply: CustomRole,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const found = await requireRole(tx, call.params);
      const { roleName } = call.body;
      if (roleName !== undefined && roleName !== found.row.name)
        throw generalFaults.ATTRIBUTE_READ_ONLY('roleName');
      return presentRole(await changeRole(tx, call.actor, found, call.body));
    }),
});

export const deleteCustomRole = operation({
  id: 'deleteCustomDatabaseRole',
  tag: 'Custom Database Roles',
  method: 'DELETE',
  path: '/groups/{groupId}/customDBRoles/roles/{roleName}',
  summary: 'Deletes a custom role that no database user holds and no other role inherits.',
  access: 'Project Database Access Admin',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => removeRole(tx, call.actor, await requireRole(tx, call.params)));
  },
});
