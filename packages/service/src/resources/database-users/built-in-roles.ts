/** Built-in roles by scope: an `admin` role covers the whole cluster, an `any` role one database. */
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

/** Roles of the database server that cannot be granted by the API. */
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
