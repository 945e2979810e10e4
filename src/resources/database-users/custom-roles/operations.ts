import { type Actor, recordEvent } from '../../../events/index.ts';
import { addCount, type ReadTx, type Tx } from '../../../store/index.ts';
import { assertWithin, findProject, projectCounters } from '../../projects/index.ts';
import { operation } from '../../services.ts';
import { isBuiltInRole } from '../built-in-roles.ts';
import { usersOf } from '../rows.ts';
import { deleteRole, insertRole, type RoleRow, rolesOf, updateRole } from './rows.ts';
import { readRole, roleFaults } from './rules.ts';
import { CustomRole, CustomRoleUpdate } from './schema.ts';

const tag = 'Custom Database Roles';
const all = '/groups/{groupId}/customDBRoles/roles';
const one = `${all}/{roleName}` as const;

const present = ({ name, document }: RoleRow) => ({ roleName: name, ...document });

export const listCustomRoles = operation({
  id: 'listCustomDatabaseRoles',
  summary: 'Lists the custom roles of the databases of a project.',
  tag,
  method: 'GET',
  path: all,
  access: 'Project Read Only',
  reply: CustomRole,
  list: 'array',
  status: 200,
  reachedFrom: { project: 'customRoles' },
  handler: (call) => call.read(async (tx) => (await rolesOf(tx, call.params.groupId)).map(present)),
});

export const createCustomRole = operation({
  id: 'createCustomDatabaseRole',
  summary: 'Makes a role that database users of the project may be granted.',
  tag,
  method: 'POST',
  path: all,
  access: 'Project Owner',
  body: CustomRole,
  reply: CustomRole,
  status: 200,
  handler(call) {
    const { groupId } = call.params;
    const name = call.body.roleName;
    return call.write(async (tx) => {
      const roles = await rolesOf(tx, groupId);
      if (isBuiltInRole(name)) throw roleFaults.PLATFORM_CUSTOM_ROLE_NAME_RESERVED(name);
      if (roles.some((role) => role.name === name)) {
        throw roleFaults.PLATFORM_CUSTOM_ROLE_ALREADY_EXISTS(name);
      }
      await assertWithin(tx, groupId, projectCounters.customRoles, roleFaults.CUSTOM_ROLES_LIMIT_EXCEEDED);
      const row: RoleRow = { id: tx.id(), groupId, name, document: readRole(name, call.body, roles) };
      await insertRole(tx, row);
      await addCount(tx, projectCounters.customRoles, groupId, 1);
      await record(tx, 'DB_CUSTOM_ROLE_ADDED', row, call.actor);
      return present(row);
    });
  },
});

export const getCustomRole = operation({
  id: 'getCustomDatabaseRole',
  summary: 'Answers one custom role.',
  tag,
  method: 'GET',
  path: one,
  access: 'Project Read Only',
  reply: CustomRole,
  status: 200,
  handler: (call) => call.read(async (tx) => present((await existing(tx, call.params)).row)),
});

export const updateCustomRole = operation({
  id: 'updateCustomDatabaseRole',
  summary: 'Changes a custom role for everybody who has it; what is not named stays.',
  tag,
  method: 'PATCH',
  path: one,
  access: 'Project Owner',
  body: CustomRoleUpdate,
  reply: CustomRole,
  status: 200,
  handler: (call) =>
    call.write(async (tx) => {
      const { row, roles } = await existing(tx, call.params);
      const changed = { ...row, document: readRole(row.name, call.body, roles, row.document) };
      await updateRole(tx, changed);
      await record(tx, 'DB_CUSTOM_ROLE_UPDATED', row, call.actor);
      return present(changed);
    }),
});

export const deleteCustomRole = operation({
  id: 'deleteCustomDatabaseRole',
  summary: 'Deletes a custom role that nobody has.',
  tag,
  method: 'DELETE',
  path: one,
  access: 'Project Owner',
  status: 204,
  async handler(call) {
    await call.write(async (tx) => {
      const { row, roles } = await existing(tx, call.params);
      await checkUnused(tx, row, roles);
      await deleteRole(tx, row.id);
      await addCount(tx, projectCounters.customRoles, row.groupId, -1);
      await record(tx, 'DB_CUSTOM_ROLE_DELETED', row, call.actor);
    });
  },
});

async function checkUnused(tx: ReadTx, { name, groupId }: RoleRow, roles: readonly RoleRow[]): Promise<void> {
  const heir = roles.find(({ document }) =>
    document.inheritedRoles.some(({ role, db }) => db === 'admin' && role === name),
  );
  if (heir) throw roleFaults.PLATFORM_CUSTOM_ROLE_IN_USE(name, heir.name);
  const users = await usersOf(tx, groupId);
  const user = users.find(({ document }) => document.roles.some(({ roleName }) => roleName === name));
  if (user) throw roleFaults.PLATFORM_CUSTOM_ROLE_IN_USE(name, user.username);
}

async function existing(tx: ReadTx, at: { readonly groupId: string; readonly roleName: string }) {
  const roles = await rolesOf(tx, at.groupId);
  const row = roles.find(({ name }) => name === at.roleName);
  if (!row) throw roleFaults.PLATFORM_CUSTOM_ROLE_NOT_FOUND(at.roleName);
  return { row, roles };
}

async function record(tx: Tx, type: string, row: RoleRow, actor: Actor): Promise<void> {
  const project = await findProject(tx, row.groupId);
  if (!project) return;
  const details = { customRoleName: row.name };
  await recordEvent(tx, { type, orgId: project.orgId, groupId: project.id, actor, details });
}
