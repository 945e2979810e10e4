import { isBuiltIn } from '../../access/roles.ts';
import { type StoredGrant, type StoredRole, storedRoles } from '../../access/stored-accounts.ts';
import { ServerError } from '../../errors/server-error.ts';
import { audited, auditedRole } from '../../observe/audited.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { required } from '../shared/field-builders.ts';
import { onDatabase } from '../shared/namespace.ts';
import { managingAccounts } from '../shared/presets.ts';
import type { AccountChange } from './changes.ts';
import { roleList } from './names.ts';
import { type PrivilegeSpec, privilegeList, withoutPrivileges, withPrivileges } from './privileges.ts';
import { authenticationRestrictions, restrictionsIn } from './restrictions.ts';
import { removeRoles, requireRole, saveRole, withGrants, withoutGrants } from './store.ts';
import { grantsIn, privilegesToGrant, privilegesToRevoke, requireSome } from './users.ts';

/**
 * This file contains the commands on custom roles. They apply to clusters whose accounts the service does not manage.
 */

const EXTERNAL = '$external';

const createRole = command({
  name: 'createRole',
  ...managingAccounts,
  audit: auditedRole('createRole', 'roles', 'privileges'),
  privileges: (request) => [...onDatabase('createRole')(request), ...privilegesToGrant(request)],
  fields: {
    createRole: 'string!',
    privileges: required(privilegeList),
    roles: required(roleList),
    authenticationRestrictions,
  },
  run({ createRole: role, privileges, roles, ...args }, { database }, cluster) {
    checkNewRole(role, database);
    const saved: StoredRole = {
      role,
      db: database,
      privileges: ownPrivileges(privileges, database),
      roles: ownGrants(grantsIn(roles, database, cluster), database),
      ...restrictionsIn(args),
    };
    if (cluster.accounts.roles.custom(role, database) !== undefined) {
      throw new ServerError('RoleAlreadyExists', `Role "${role}@${database}" already exists`);
    }
    saveRole(cluster, saved);
    return {};
  },
});

function checkNewRole(role: string, database: string): void {
  const badValue = (message: string) => new ServerError('BadValue', message);
  if (role === '') throw badValue('Role name must be non-empty');
  if (database === 'local') throw badValue('Cannot create roles in the local database');
  if (database === EXTERNAL) throw badValue('Cannot create roles in the $external database');
  if (isBuiltIn(role, database)) throw badValue('Cannot create roles with the same name as a built-in role');
}

/**
 * Checks the privileges of a role. A role of `admin` may have privileges on any database. Any other role may have privileges only on
 * its own database.
 */
function ownPrivileges(privileges: readonly PrivilegeSpec[], database: string): readonly PrivilegeSpec[] {
  if (database === 'admin') return privileges;
  for (const { resource } of privileges) {
    if (resource.db === database) continue;
    throw new ServerError(
      'InvalidRoleModification',
      `Roles on the '${database}' database cannot be granted privileges that target other databases or the cluster`,
    );
  }
  return privileges;
}

function ownGrants(grants: StoredGrant[], database: string): StoredGrant[] {
  const elsewhere = grants.find(({ db }) => database !== 'admin' && db !== database);
  if (elsewhere === undefined) return grants;
  throw new ServerError(
    'InvalidRoleModification',
    `Roles on the '${database}' database cannot be granted roles from other databases`,
  );
}

const updateRole = command({
  name: 'updateRole',
  ...managingAccounts,
  audit: auditedRole('updateRole', 'roles', 'privileges'),
  privileges: (request) => [...onDatabase('grantRole')(request), ...privilegesToGrant(request)],
  fields: { updateRole: 'string!', privileges: privilegeList, roles: roleList, authenticationRestrictions },
  run({ updateRole: name, privileges, roles, ...args }, { database }, cluster) {
    if (privileges === undefined && roles === undefined && args.authenticationRestrictions === undefined) {
      throw new ServerError('BadValue', 'Must specify at least one field to update in updateRole');
    }
    const own = privileges && ownPrivileges(privileges, database);
    const inherited = roles && ownGrants(grantsIn(roles, database, cluster), database);
    const before = requireRole(cluster, name, database);
    if (inherited) checkNoCycle(cluster, before, inherited);
    saveRole(cluster, {
      ...before,
      ...(own ? { privileges: own } : {}),
      ...(inherited ? { roles: inherited } : {}),
      ...restrictionsIn(args),
    });
    return {};
  },
});

const dropRole = command({
  name: 'dropRole',
  ...managingAccounts,
  audit: auditedRole('dropRole'),
  privileges: onDatabase('dropRole'),
  fields: { dropRole: 'string!' },
  run({ dropRole: name }, { database }, cluster) {
    const { role, db } = requireRole(cluster, name, database);
    removeRoles(cluster, [{ role, db }]);
    return {};
  },
});

const dropAllRolesFromDatabase = command({
  name: 'dropAllRolesFromDatabase',
  ...managingAccounts,
  audit: audited('dropAllRolesFromDatabase', ({ database: db }) => ({ db })),
  privileges: onDatabase('dropRole'),
  fields: { dropAllRolesFromDatabase: 'any' },
  run(_args, { database }, cluster) {
    const removed = storedRoles(cluster.store).filter(({ db }) => db === database);
    if (removed.length > 0) removeRoles(cluster, removed);
    return { n: removed.length };
  },
});

const grantPrivilegesToRole = command({
  name: 'grantPrivilegesToRole',
  ...managingAccounts,
  audit: auditedRole('grantPrivilegesToRole', 'privileges'),
  privileges: onDatabase('grantRole'),
  fields: { grantPrivilegesToRole: 'string!', privileges: required(privilegeList) },
  run({ grantPrivilegesToRole: name, privileges }, { database }, cluster) {
    const added = ownPrivileges(requireSome(privileges, 'privileges', 'grantPrivilegesToRole'), database);
    const before = requireRole(cluster, name, database);
    saveRole(cluster, { ...before, privileges: withPrivileges(before.privileges, added) });
    return {};
  },
});

const revokePrivilegesFromRole = command({
  name: 'revokePrivilegesFromRole',
  ...managingAccounts,
  audit: auditedRole('revokePrivilegesFromRole', 'privileges'),
  privileges: onDatabase('revokeRole'),
  fields: { revokePrivilegesFromRole: 'string!', privileges: required(privilegeList) },
  run({ revokePrivilegesFromRole: name, privileges }, { database }, cluster) {
    const removed = requireSome(privileges, 'privileges', 'revokePrivilegesFromRole');
    const before = requireRole(cluster, name, database);
    saveRole(cluster, { ...before, privileges: withoutPrivileges(before.privileges, removed) });
    return {};
  },
});

const grantRolesToRole = command({
  name: 'grantRolesToRole',
  ...managingAccounts,
  audit: auditedRole('grantRolesToRole', 'roles'),
  privileges: privilegesToGrant,
  fields: { grantRolesToRole: 'string!', roles: required(roleList) },
  run({ grantRolesToRole: name, roles }, { database }, cluster) {
    const given = requireSome(roles, 'roles', 'grantRolesToRole');
    const added = ownGrants(grantsIn(given, database, cluster), database);
    const before = requireRole(cluster, name, database);
    checkNoCycle(cluster, before, added);
    saveRole(cluster, { ...before, roles: withGrants(before.roles, added) });
    return {};
  },
});

const revokeRolesFromRole = command({
  name: 'revokeRolesFromRole',
  ...managingAccounts,
  audit: auditedRole('revokeRolesFromRole', 'roles'),
  privileges: privilegesToRevoke,
  fields: { revokeRolesFromRole: 'string!', roles: required(roleList) },
  run({ revokeRolesFromRole: name, roles }, { database }, cluster) {
    const removed = grantsIn(requireSome(roles, 'roles', 'revokeRolesFromRole'), database, cluster);
    const before = requireRole(cluster, name, database);
    saveRole(cluster, { ...before, roles: withoutGrants(before.roles, removed) });
    return {};
  },
});

function checkNoCycle(
  cluster: ClusterContext,
  { role, db }: StoredGrant,
  added: readonly StoredGrant[],
): void {
  const reached = cluster.accounts.roles.withInherited(
    added.map((each) => ({ role: each.role, database: each.db })),
  );
  if (!reached.some((each) => each.role === role && each.database === db)) return;
  const [first] = added;
  throw new ServerError(
    'InvalidRoleModification',
    `Granting ${first?.role}@${first?.db} to ${role}@${db} would introduce a cycle in the role graph.`,
  );
}

export const roleChanges = {
  createRole,
  updateRole,
  dropRole,
  dropAllRolesFromDatabase,
  grantPrivilegesToRole,
  revokePrivilegesFromRole,
  grantRolesToRole,
  revokeRolesFromRole,
} satisfies Partial<Record<AccountChange, Command>>;
