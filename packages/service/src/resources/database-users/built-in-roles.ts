/**
 * Built-in roles by scope. Roles marked `admin` cover the whole cluster, and roles marked `any` cover one database.
 * Roles marked `any or collection` cover one database or one collection.
 */
export const builtInRoles: Readonly<Record<string, 'admin' | 'any' | 'any or collection'>> = {
  platformAdmin: 'admin',
  readWriteAnyDatabase: 'admin',
  readAnyDatabase: 'admin',
  clusterMonitor: 'admin',
  backup: 'admin',
  dbAdminAnyDatabase: 'admin',
  enableSharding: 'admin',
  dbAdmin: 'any',
  read: 'any or collection',
  readWrite: 'any or collection',
};

/** Whether a built-in role exists. If a database is given, also whether the role may be granted on this database. */
export function isBuiltInRole(name: string, database?: string): boolean {
  const where = Object.hasOwn(builtInRoles, name) ? builtInRoles[name] : undefined;
  return where !== undefined && (where !== 'admin' || database === undefined || database === 'admin');
}

/** Roles of the database server that the API does not grant. */
export const serverRoles: ReadonlySet<string> = new Set([
  '__system',
  'clusterAdmin',
  'clusterManager',
  'dbOwner',
  'hostManager',
  'restore',
  'root',
  'userAdmin',
  'userAdminAnyDatabase',
]);
