import type { RoleGrant } from '../interface/engine.ts';
import {
  ACCOUNT_INDEXES,
  DB_ADMIN,
  MANAGE_CLUSTER,
  MANAGE_DATABASE,
  MANAGE_HOST,
  MONITOR_CLUSTER,
  MONITOR_DATABASE,
  MONITOR_SYSTEM,
  PROFILE,
  READ,
  READ_WRITE,
  RESTORE,
  SHARDING,
  USER_ADMIN,
  USER_ADMIN_CLUSTER,
  words,
} from './actions.ts';
import type { Allowance } from './resources.ts';
import { BYPASS } from './rights.ts';

/**
 * This file defines the built-in roles of the server. For each role, it lists resources and the actions that the role
 * allows on them. A role that is not in the table at the end grants nothing.
 */

type RoleMaker = (grant: RoleGrant) => readonly Allowance[];

const cluster = (actions: readonly string[]): Allowance => ({
  resource: { kind: 'cluster' },
  actions: new Set(actions),
});
const anyNormal = (actions: readonly string[]): Allowance => ({
  resource: { kind: 'anyNormal' },
  actions: new Set(actions),
});
const inDatabase = (database: string, actions: readonly string[]): Allowance => ({
  resource: { kind: 'database', database },
  actions: new Set(actions),
});
const inCollection = (database: string, collection: string, actions: readonly string[]): Allowance => ({
  resource: { kind: 'collection', database, collection },
  actions: new Set(actions),
});

/** Allows actions on the buckets of all time series in a database, or in all databases if no database is given. */
const buckets = (actions: readonly string[], database = ''): Allowance => ({
  resource: { kind: 'buckets', database, series: '' },
  actions: new Set(actions),
});

const onOwn =
  (actions: readonly string[]): RoleMaker =>
  ({ database, collection }) =>
    collection === undefined || collection === ''
      ? [inDatabase(database, actions), inCollection(database, 'system.js', actions)]
      : [inCollection(database, collection, actions)];

const onAny = (actions: readonly string[]) => [anyNormal(actions), inCollection('', 'system.js', actions)];

const clusterMonitor = [
  cluster(MONITOR_CLUSTER),
  anyNormal(MONITOR_DATABASE),
  ...['config', 'local'].flatMap((database) => [
    inDatabase(database, MONITOR_SYSTEM),
    inCollection(database, 'system.js', READ),
  ]),
  inCollection('local', 'system.replset', ['find']),
  inCollection('', 'system.profile', ['find']),
];
const dbAdminAnyDatabase = [
  cluster(words('applyOps listDatabases')),
  anyNormal(DB_ADMIN),
  buckets(DB_ADMIN),
  inCollection('', 'system.profile', PROFILE),
];
const readAnyDatabase = [cluster(['listDatabases']), ...onAny(READ)];
const readWriteAnyDatabase = [cluster(['listDatabases']), ...onAny(READ_WRITE)];
const enableSharding = [anyNormal(SHARDING), buckets(SHARDING)];
/** The system collections that contain users with their password verifiers, and custom roles. */
const ACCOUNTS = ['system.users', 'system.roles'];
const DEFINITIONS = ['system.version', 'system.js', 'system.profile', 'system.views'];
const BACKUP_SYSTEM = [...ACCOUNTS, ...DEFINITIONS];
const backupWithoutAccounts = [
  cluster(words('appendOplogNote getParameter listDatabases serverStatus setUserWriteBlockMode')),
  anyNormal(READ),
  buckets(READ),
  inDatabase('local', READ),
  inDatabase('config', READ),
  ...DEFINITIONS.map((collection) => inCollection('', collection, READ)),
];
const backup = [
  ...backupWithoutAccounts,
  ...ACCOUNTS.map((collection) => inCollection('', collection, READ)),
  inCollection('config', 'settings', words('find insert update')),
];

const dbAdmin = (database: string) => [
  inDatabase(database, DB_ADMIN),
  buckets(DB_ADMIN, database),
  inCollection(database, 'system.profile', PROFILE),
];
const userAdmin = (database: string) => [inDatabase(database, USER_ADMIN)];
const userAdminAnyDatabase = [
  cluster(USER_ADMIN_CLUSTER),
  anyNormal(USER_ADMIN),
  ...['local', 'config'].map((database) => inDatabase(database, USER_ADMIN)),
  ...['system.users', 'system.roles', 'system.new_users', 'system.backup_users'].map((collection) =>
    inCollection('admin', collection, ACCOUNT_INDEXES),
  ),
  inCollection('admin', 'system.version', ['find']),
];
const WRITES = words('insert remove update');
const clusterManager = [
  cluster(MANAGE_CLUSTER),
  anyNormal(MANAGE_DATABASE),
  buckets(MANAGE_DATABASE),
  inDatabase('config', [...READ, ...WRITES, ...MANAGE_DATABASE]),
  inCollection('config', 'system.js', READ),
  inDatabase('local', [...WRITES, ...MANAGE_DATABASE]),
  inCollection('local', 'system.replset', READ),
];
const hostManager = [cluster(MANAGE_HOST), anyNormal(words('killCursors'))];
const clusterAdmin = [
  ...clusterMonitor,
  ...clusterManager,
  ...hostManager,
  anyNormal(words('dropDatabase importCollection exportCollection')),
];
const restore = [
  cluster([
    BYPASS,
    'getParameter',
    'setUserWriteBlockMode',
    'forceUUID',
    'useUUID',
    'listDatabases',
    'getClusterParameter',
    'setClusterParameter',
  ]),
  anyNormal(RESTORE),
  buckets(RESTORE),
  inDatabase('config', RESTORE),
  inDatabase('local', RESTORE),
  ...BACKUP_SYSTEM.map((collection) => inCollection('', collection, RESTORE)),
  ...['system.users', 'system.version'].map((collection) => inCollection('admin', collection, ['find'])),
];
const everything: Allowance = { resource: { kind: 'anything' }, actions: 'all' };

/** The privileges of `platformAdmin`, the role with which the API lets users administer the whole deployment. */
const platformAdmin = [
  ...readWriteAnyDatabase,
  ...dbAdminAnyDatabase,
  ...clusterMonitor,
  ...enableSharding,
  // `mongodump` reads system collections, such as `admin.system.version`, if it dumps all databases.
  ...backupWithoutAccounts,
  // `mongorestore` writes a time series through its buckets.
  buckets(READ_WRITE),
  cluster(
    words(`cleanupOrphaned flushRouterConfig killAnyCursor killAnySession killop
    moveChunk setDefaultRWConcern viewRole viewUser`),
  ),
  anyNormal(words('cleanupOrphaned killAnyCursor moveChunk renameCollection viewRole viewUser')),
];

export const builtInRoles: Readonly<Record<string, RoleMaker>> = {
  read: onOwn(READ),
  readWrite: onOwn(READ_WRITE),
  dbAdmin: ({ database }) => dbAdmin(database),
  userAdmin: ({ database }) => userAdmin(database),
  dbOwner: ({ database }) => [
    ...onOwn(READ_WRITE)({ role: '', database }),
    ...dbAdmin(database),
    ...userAdmin(database),
  ],
  readAnyDatabase: onAdmin(readAnyDatabase),
  readWriteAnyDatabase: onAdmin(readWriteAnyDatabase),
  dbAdminAnyDatabase: onAdmin(dbAdminAnyDatabase),
  clusterMonitor: onAdmin(clusterMonitor),
  backup: onAdmin(backup),
  // The role exists on every database. Its privileges do not depend on the database.
  enableSharding: () => enableSharding,
  platformAdmin: onAdmin(platformAdmin),
  // The API never grants the following roles. They are for an engine that runs without the service.
  userAdminAnyDatabase: onAdmin(userAdminAnyDatabase),
  clusterManager: onAdmin(clusterManager),
  hostManager: onAdmin(hostManager),
  clusterAdmin: onAdmin(clusterAdmin),
  restore: onAdmin(restore),
  root: onAdmin([everything]),
  __system: onAdmin([everything, cluster([BYPASS])]),
};

/** Returns the names of the roles that can be granted on a database. */
export function builtInRolesOn(database: string): string[] {
  return Object.keys(builtInRoles).filter((role) => isBuiltIn(role, database));
}

export function isBuiltIn(role: string, database: string): boolean {
  // Use `Object.hasOwn`, because a custom role may have the name of an inherited property, such as `constructor`.
  return Object.hasOwn(builtInRoles, role) && (builtInRoles[role]?.({ role, database }).length ?? 0) > 0;
}

/**
 * Creates a role for the whole deployment. The role exists only on `admin`. On any other database, its name
 * counts as an unknown role.
 */
function onAdmin(allowances: readonly Allowance[]): RoleMaker {
  return ({ database }) => (database === 'admin' ? allowances : []);
}
