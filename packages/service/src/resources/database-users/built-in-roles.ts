/** Built-in roles, by where they are granted: `admin` ones cover the whole cluster, `any` ones one database each. */
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

/** Whether there is such a role, on that database where one is named. */
export function isBuiltInRole(name: string, database?: string): boolean {
  const where = Object.hasOwn(builtInRoles, name) ? builtInRoles[name] : undefined;
  return where !== undefined && (where !== 'admin' || database === undefined || database === 'admin');
}

/** Roles that the database server has too, and that no user of the API may be granted. */
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
