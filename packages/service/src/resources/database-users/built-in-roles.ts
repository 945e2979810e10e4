/** Built-in roles by scope: `admin` roles cover the whole cluster, `any` roles one database. */
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

/** Whether a built-in role exists and, if a database is given, may be granted on it. */
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
