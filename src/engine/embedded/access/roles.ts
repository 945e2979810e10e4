import type { RoleGrant } from '../../engine.ts';

/**
 * What the built-in roles allow: one table of role, resources and actions, named as the reference server names
 * them. A role that is not here grants nothing.
 */

/** Where actions are allowed. */
export type ResourcePattern =
  | { readonly kind: 'cluster' }
  /** The cluster, and every database and collection of any name. */
  | { readonly kind: 'anything' }
  /** Every database and its collections, `local`, `config` and system collections left out. */
  | { readonly kind: 'anyNormal' }
  /** A database and its collections, system collections left out. */
  | { readonly kind: 'database'; readonly database: string }
  /** One collection; an empty `database` is any database. */
  | { readonly kind: 'collection'; readonly database: string; readonly collection: string };

export interface Allowance {
  readonly resource: ResourcePattern;
  readonly actions: ReadonlySet<string> | 'all';
}

type RoleMaker = (grant: RoleGrant) => readonly Allowance[];

const words = (text: string) => text.trim().split(/\s+/);

const READ = words(`changeStream collStats dbHash dbStats find killCursors listCollections listIndexes
  listSearchIndexes planCacheRead`);
const READ_WRITE = [
  ...READ,
  ...words(`convertToCapped createCollection createIndex createSearchIndexes dropCollection dropIndex
    dropSearchIndex insert remove renameCollectionSameDB update updateSearchIndex`),
];
const DB_ADMIN = words(`analyzeShardKey bypassDocumentValidation collMod collStats compact convertToCapped
  createCollection createIndex createSearchIndexes dbStats dropCollection dropDatabase dropIndex dropSearchIndex
  enableProfiler indexStats listCollections listIndexes listSearchIndexes planCacheIndexFilter planCacheRead
  planCacheWrite reIndex renameCollectionSameDB storageDetails updateSearchIndex validate`);
const PROFILE =
  words(`changeStream collStats convertToCapped createCollection dbHash dbStats dropCollection find
  killCursors listCollections listIndexes planCacheRead`);
const MONITOR_CLUSTER = words(`checkMetadataConsistency connPoolStats getClusterParameter getCmdLineOpts
  getDefaultRWConcern getLog getParameter getShardMap hostInfo inprog listClusterCatalog listDatabases listSessions
  listShards netstat queryStatsRead replSetGetConfig replSetGetStatus serverStatus shardingState top`);
const MONITOR_DATABASE = words('collStats dbStats getDatabaseVersion getShardVersion indexStats');
const MONITOR_SYSTEM = words(
  'collStats dbHash dbStats find getShardVersion indexStats killCursors listCollections listIndexes',
);
const SHARDING = words(`analyzeShardKey enableSharding getDatabaseVersion getShardVersion moveCollection
  refineCollectionShardKey reshardCollection shardCollection shardedDataDistribution splitVector unshardCollection`);

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
  inDatabase('config', MONITOR_SYSTEM),
  inDatabase('local', MONITOR_DATABASE),
  inCollection('local', 'system.replset', ['find']),
  inCollection('', 'system.profile', ['find']),
];
const dbAdminAnyDatabase = [
  cluster(words('applyOps listDatabases')),
  anyNormal(DB_ADMIN),
  inCollection('', 'system.profile', PROFILE),
];
const readAnyDatabase = [cluster(['listDatabases']), ...onAny(READ)];
const readWriteAnyDatabase = [cluster(['listDatabases']), ...onAny(READ_WRITE)];
const enableSharding = [anyNormal(SHARDING)];
const BACKUP_SYSTEM = [
  'system.users',
  'system.roles',
  'system.version',
  'system.js',
  'system.profile',
  'system.views',
];
const backup = [
  cluster(words('appendOplogNote getParameter listDatabases serverStatus')),
  anyNormal(READ),
  inDatabase('local', READ),
  inDatabase('config', READ),
  ...BACKUP_SYSTEM.map((collection) => inCollection('', collection, READ)),
];

/** Roles whose grants name the database `admin` and act on the whole deployment. */
const platformAdmin = [
  ...readWriteAnyDatabase,
  ...dbAdminAnyDatabase,
  ...clusterMonitor,
  ...enableSharding,
  cluster(
    words(`appendOplogNote cleanupOrphaned flushRouterConfig killAnyCursor killAnySession killop
    moveChunk setDefaultRWConcern viewRole viewUser`),
  ),
  inDatabase('local', READ),
  inDatabase('config', READ),
  anyNormal(words('cleanupOrphaned killAnyCursor moveChunk renameCollection viewRole viewUser')),
];

export const builtInRoles: Readonly<Record<string, RoleMaker>> = {
  read: onOwn(READ),
  readWrite: onOwn(READ_WRITE),
  dbAdmin: ({ database }) => [
    inDatabase(database, DB_ADMIN),
    inCollection(database, 'system.profile', PROFILE),
  ],
  readAnyDatabase: onAdmin(readAnyDatabase),
  readWriteAnyDatabase: onAdmin(readWriteAnyDatabase),
  dbAdminAnyDatabase: onAdmin(dbAdminAnyDatabase),
  clusterMonitor: onAdmin(clusterMonitor),
  backup: onAdmin(backup),
  enableSharding: onAdmin(enableSharding),
  platformAdmin: onAdmin(platformAdmin),
  // For an engine that runs alone: the API never grants it.
  root: onAdmin([{ resource: { kind: 'anything' }, actions: 'all' }]),
};

/** Roles over the whole deployment exist on `admin` only: the same name elsewhere is another, unknown role. */
function onAdmin(allowances: readonly Allowance[]): RoleMaker {
  return ({ database }) => (database === 'admin' ? allowances : []);
}
