import type { CustomRoleSpec, RoleGrant, UserSpec } from '@portolan/engine/interface/engine';
import type { Document } from 'mongodb';
import { digestOf } from './digests.ts';

/** A role in the form of the servers' commands. */
export interface ServerGrant {
  readonly role: string;
  readonly db: string;
}

/** The built-in roles of servers that replace the API's role `platformAdmin`, because servers do not have this role. */
const platformAdmin = ['readWriteAnyDatabase', 'dbAdminAnyDatabase', 'clusterMonitor', 'enableSharding'];

const READ = ['changeStream', 'collStats', 'find', 'killCursors', 'listIndexes', 'planCacheRead'];
const READ_WRITE = [
  ...READ,
  ...['convertToCapped', 'createCollection', 'createIndex', 'dropCollection', 'dropIndex', 'insert'],
  ...['remove', 'renameCollectionSameDB', 'update'],
];
/** The actions of roles that the API grants on single collections. */
const actionsOn: Readonly<Record<string, readonly string[]>> = { read: READ, readWrite: READ_WRITE };

/** Converts a role that the API grants to the form of commands. */
export function serverGrants({ role, database }: RoleGrant): ServerGrant[] {
  const names = role === 'platformAdmin' ? platformAdmin : [role];
  return names.map((name) => ({ role: name, db: database }));
}

/**
 * Returns a role for the grants of a user on single collections, because servers do not accept such grants in a user.
 * Returns undefined if the user has no such grants.
 */
export function ownRoleOf({ username, database, roles }: UserSpec): CustomRoleSpec | undefined {
  const limited = roles.filter(({ collection }) => collection !== undefined);
  if (limited.length === 0) return undefined;
  const privileges = limited.map(({ role, database: db, collection = '' }) => ({
    actions: actionsOn[role] ?? [],
    resource: { db, collection },
  }));
  return {
    role: `portolan-${digestOf([database, username]).slice(0, 24)}`,
    database: 'admin',
    privileges,
    roles: [],
  };
}

/**
 * Returns a digest of the privileges and roles of a role. It does not depend on the order and the grouping in which a
 * server returns them.
 */
export function contentsOfRole({ privileges = [], roles = [] }: Document): string {
  const allowed = (privileges as CustomRoleSpec['privileges']).flatMap(({ actions, resource }) =>
    actions.map((action) => JSON.stringify([Object.entries(resource).toSorted(), action])),
  );
  const granted = (roles as readonly ServerGrant[]).map(({ role, db }) => JSON.stringify([db, role]));
  return digestOf([[...new Set(allowed)].toSorted(), [...new Set(granted)].toSorted()]);
}
