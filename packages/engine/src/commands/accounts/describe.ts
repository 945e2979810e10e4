import type { PlainObject } from '@portolan/foundation/plain-object';
import type { Account } from '../../access/accounts.ts';
import type { Allowance } from '../../access/resources.ts';
import { specOf } from '../../access/resources.ts';
import type { RoleBook } from '../../access/role-book.ts';
import { isBuiltIn } from '../../access/roles.ts';
import { storedGrantOf } from '../../access/stored-accounts.ts';
import type { RoleGrant } from '../../interface/engine.ts';

/** This file describes users, roles and privileges in the format of replies. */

/** Merges privileges on the same resource. */
function describeAllowances(allowances: readonly Allowance[]): object[] {
  const byResource = new Map<string, { resource: object; actions: Set<string> }>();
  for (const { resource, actions } of allowances) {
    const spec = specOf(resource);
    const key = JSON.stringify(spec);
    const found = byResource.get(key) ?? { resource: spec, actions: new Set<string>() };
    for (const action of actions === 'all' ? ['anyAction'] : actions) found.actions.add(action);
    byResource.set(key, found);
  }
  return [...byResource.values()].map(({ resource, actions }) => ({
    resource,
    actions: [...actions].sort(),
  }));
}

export function describePrivileges(grants: readonly RoleGrant[], roles: RoleBook): object[] {
  return describeAllowances(roles.allowances(grants));
}

export interface DescribeOptions {
  readonly credentials?: boolean;
  readonly privileges?: boolean;
  readonly restrictions?: boolean;
  /** Returns the authentication restrictions of a role. */
  readonly restrictionsOf: (role: RoleGrant) => readonly unknown[] | undefined;
}

/**
 * Returns one list of restrictions for each role that has restrictions. A client must comply with at least one
 * restriction of each list.
 */
function inheritedRestrictions(
  grants: readonly RoleGrant[],
  roles: RoleBook,
  { restrictionsOf }: DescribeOptions,
): unknown[] {
  return roles.withInherited(grants).flatMap((grant) => {
    const own = restrictionsOf(grant) ?? [];
    return own.length === 0 ? [] : [own];
  });
}

function describeRestrictions(grant: RoleGrant, roles: RoleBook, shown: DescribeOptions): object {
  const own = shown.restrictionsOf(grant) ?? [];
  return {
    authenticationRestrictions: own.length === 0 ? [] : [own],
    inheritedAuthenticationRestrictions: inheritedRestrictions([grant], roles, shown),
  };
}

/** Describes a user. `stored` is the stored document if a command created the user. */
export function describeUser(
  user: Account,
  stored: PlainObject | undefined,
  roles: RoleBook,
  shown: DescribeOptions,
): object {
  const { username, database } = user;
  const credentials = stored?.credentials as Record<string, unknown> | undefined;
  return {
    _id: `${database}.${username}`,
    userId: stored?.userId,
    user: username,
    db: database,
    ...(shown.credentials && credentials !== undefined ? { credentials } : {}),
    customData: stored?.customData,
    roles: user.roles.map(storedGrantOf),
    ...(shown.privileges || shown.restrictions
      ? {
          inheritedRoles: roles.withInherited(user.roles).map(storedGrantOf),
          inheritedPrivileges: describePrivileges(user.roles, roles),
          inheritedAuthenticationRestrictions: inheritedRestrictions(user.roles, roles, shown),
        }
      : {}),
    ...(shown.restrictions ? { authenticationRestrictions: stored?.authenticationRestrictions ?? [] } : {}),
    mechanisms: credentials === undefined ? ['SCRAM-SHA-1', 'SCRAM-SHA-256'] : Object.keys(credentials),
  };
}

/** Describes a role. Returns undefined for an unknown role. */
export function describeRole(
  { role, database }: RoleGrant,
  roles: RoleBook,
  shown: DescribeOptions,
): object | undefined {
  const builtIn = isBuiltIn(role, database);
  const custom = roles.custom(role, database);
  if (!builtIn && custom === undefined) return undefined;
  const inherited = custom?.roles ?? [];
  const own = builtIn ? describePrivileges([{ role, database }], roles) : (custom?.privileges ?? []);
  return {
    _id: `${database}.${role}`,
    role,
    db: database,
    ...(shown.privileges ? { privileges: own } : {}),
    roles: inherited.map(storedGrantOf),
    ...(shown.restrictions ? describeRestrictions({ role, database }, roles, shown) : {}),
    inheritedRoles: roles.withInherited(inherited).map(storedGrantOf),
    ...(shown.privileges
      ? {
          inheritedPrivileges: describePrivileges([{ role, database }], roles),
        }
      : {}),
    isBuiltin: builtIn,
  };
}
