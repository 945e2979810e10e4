import { isBuiltIn } from '../../access/roles.ts';
import {
  ROLES,
  type StoredGrant,
  type StoredRole,
  type StoredUser,
  storedRoles,
  storedUsers,
  USERS,
  userOf,
} from '../../access/stored-accounts.ts';
import { ServerError } from '../../errors/server-error.ts';
import { readStored, removeStored, writeStored } from '../../parameters/stored.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** This file reads and stores users and roles. Each change applies to all connections immediately. */

export function findUser({ store }: ClusterContext, user: string, db: string): StoredUser | undefined {
  const found = readStored(store, USERS, `${db}.${user}`);
  return found && userOf(found);
}

export function requireUser(cluster: ClusterContext, user: string, db: string): StoredUser {
  const found = findUser(cluster, user, db);
  if (found !== undefined) return found;
  throw new ServerError('UserNotFound', `Could not find user "${user}" for db "${db}"`);
}

export function saveUser(cluster: ClusterContext, saved: StoredUser): void {
  const { userId, user, db, credentials, customData, roles, authenticationRestrictions } = saved;
  const fields = { userId, user, db, credentials, customData, roles, authenticationRestrictions };
  writeStored(cluster.store, USERS, `${db}.${user}`, fields);
  cluster.accountsChanged();
}

export function removeUsers(cluster: ClusterContext, users: readonly StoredUser[]): void {
  for (const { user, db } of users) removeStored(cluster.store, USERS, `${db}.${user}`);
  cluster.accountsChanged();
}

function findRole({ store }: ClusterContext, role: string, db: string): StoredRole | undefined {
  return readStored(store, ROLES, `${db}.${role}`)?.toObject() as StoredRole | undefined;
}

/** Returns a custom role. Throws if the role is built-in or unknown. */
export function requireRole(cluster: ClusterContext, role: string, db: string): StoredRole {
  if (isBuiltIn(role, db)) {
    throw new ServerError(
      'InvalidRoleModification',
      `${role}@${db} is a built-in role and cannot be modified`,
    );
  }
  const found = findRole(cluster, role, db);
  if (found !== undefined) return found;
  throw new ServerError('RoleNotFound', `Role '${role}@${db}' not found`);
}

export function saveRole(cluster: ClusterContext, saved: StoredRole): void {
  const { role, db, privileges, roles, authenticationRestrictions } = saved;
  writeStored(cluster.store, ROLES, `${db}.${role}`, {
    role,
    db,
    privileges,
    roles,
    authenticationRestrictions,
  });
  cluster.accountsChanged();
}

/** Removes roles, and revokes them from all users and roles. */
export function removeRoles(cluster: ClusterContext, removed: readonly StoredGrant[]): void {
  for (const { role, db } of removed) removeStored(cluster.store, ROLES, `${db}.${role}`);
  for (const user of storedUsers(cluster.store)) {
    const roles = withoutGrants(user.roles, removed);
    if (roles.length < user.roles.length) saveUser(cluster, { ...user, roles });
  }
  for (const role of storedRoles(cluster.store)) {
    const roles = withoutGrants(role.roles, removed);
    if (roles.length < role.roles.length) saveRole(cluster, { ...role, roles });
  }
  cluster.accountsChanged();
}

/** Throws `RoleNotFound` for the first unknown role. */
export function checkRolesExist({ accounts }: ClusterContext, grants: readonly StoredGrant[]): void {
  for (const { role, db } of grants) {
    if (isBuiltIn(role, db) || accounts.roles.custom(role, db) !== undefined) continue;
    throw new ServerError('RoleNotFound', `Could not find role: ${role}@${db}`);
  }
}

export function withGrants(before: readonly StoredGrant[], added: readonly StoredGrant[]): StoredGrant[] {
  // If the same role is granted twice, keep the place of the later grant. Setting an existing key of a map would keep
  // the place of the earlier grant, so delete the key first.
  const grants = new Map<string, StoredGrant>();
  for (const grant of [...before, ...added]) {
    const key = keyOf(grant);
    grants.delete(key);
    grants.set(key, grant);
  }
  return [...grants.values()];
}

export function withoutGrants(
  before: readonly StoredGrant[],
  removed: readonly StoredGrant[],
): StoredGrant[] {
  const keys = new Set(removed.map(keyOf));
  return before.filter((grant) => !keys.has(keyOf(grant)));
}

/** Returns the key of a grant in maps and sets. A command can list 100,000 grants, too many to compare in pairs. */
function keyOf({ role, db }: StoredGrant): string {
  return JSON.stringify([role, db]);
}
