import type { Actor } from '../../../events/index.ts';
import { addCount, type Tx } from '../../../store/index.ts';
import { assertWithin, projectCounters, recordInProject } from '../../projects/index.ts';
import { roleFaults } from './faults.ts';
import { deleteRole, insertRole, type RoleRow, rolesOf, updateRole } from './rows.ts';
import { checkNewName, checkUnused, type FoundRole, readRole } from './rules.ts';
import type { CustomRole, CustomRoleUpdate } from './schema.ts';

export async function addRole(tx: Tx, actor: Actor, groupId: string, request: CustomRole): Promise<RoleRow> {
  const name = request.roleName;
  const roles = await rolesOf(tx, groupId);
  checkNewName(name, roles);
  await assertWithin(tx, groupId, projectCounters.customRoles, roleFaults.CUSTOM_ROLES_LIMIT_EXCEEDED);
  const row: RoleRow = { id: tx.id(), groupId, name, document: readRole(name, request, roles) };
  await insertRole(tx, row);
  await addCount(tx, projectCounters.customRoles, groupId, 1);
  await record(tx, 'DB_ROLE_ADDED', row, actor);
  return row;
}

/** Applies the fields that a request contains. The change affects all users with the role. */
export async function changeRole(
  tx: Tx,
  actor: Actor,
  { row, roles }: FoundRole,
  request: CustomRoleUpdate,
): Promise<RoleRow> {
  const changed = { ...row, document: readRole(row.name, request, roles, row.document) };
  await updateRole(tx, changed);
  await record(tx, 'DB_ROLE_UPDATED', row, actor);
  return changed;
}

/** Deletes a role. Throws PLATFORM_CUSTOM_ROLE_IN_USE if a user or another role has this role. */
export async function removeRole(tx: Tx, actor: Actor, found: FoundRole): Promise<void> {
  const { row } = found;
  await checkUnused(tx, found);
  await deleteRole(tx, row.id);
  await addCount(tx, projectCounters.customRoles, row.groupId, -1);
  await record(tx, 'DB_ROLE_DELETED', row, actor);
}

function record(tx: Tx, type: string, row: RoleRow, actor: Actor): Promise<void> {
  return recordInProject(tx, row.groupId, { type, actor, details: { customRoleName: row.name } });
}
