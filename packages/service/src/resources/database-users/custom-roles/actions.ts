/** Where an action of a custom role applies: databases and collections, or the cluster as a whole. */
type ActionScope = 'collection' | 'cluster';

const inCollections = {
  FIND: 'find',
  INSERT: 'insert',
  REMOVE: 'remove',
  UPDATE: 'update',
  BYPASS_DOCUMENT_VALIDATION: 'bypassDocumentValidation',
  USE_UUID: 'useUUID',
  CREATE_COLLECTION: 'createCollection',
  CREATE_INDEX: 'createIndex',
  CREATE_SEARCH_INDEXES: 'createSearchIndexes',
  DROP_COLLECTION: 'dropCollection',
  DROP_DATABASE: 'dropDatabase',
  DROP_INDEX: 'dropIndex',
  DROP_SEARCH_INDEX: 'dropSearchIndex',
  ENABLE_PROFILER: 'enableProfiler',
  CHANGE_STREAM: 'changeStream',
  COLL_MOD: 'collMod',
  COMPACT: 'compact',
  CONVERT_TO_CAPPED: 'convertToCapped',
  RE_INDEX: 'reIndex',
  RENAME_COLLECTION_SAME_DB: 'renameCollectionSameDB',
  COLL_STATS: 'collStats',
  DB_HASH: 'dbHash',
  DB_STATS: 'dbStats',
  LIST_COLLECTIONS: 'listCollections',
  LIST_INDEXES: 'listIndexes',
  LIST_SEARCH_INDEXES: 'listSearchIndexes',
  UPDATE_SEARCH_INDEX: 'updateSearchIndex',
  VALIDATE: 'validate',
  ANALYZE_SHARD_KEY: 'analyzeShardKey',
  CLEAR_JUMBO_FLAG: 'clearJumboFlag',
  ENABLE_SHARDING: 'enableSharding',
  MOVE_CHUNK: 'moveChunk',
  MOVE_COLLECTION: 'moveCollection',
  REFINE_COLLECTION_SHARD_KEY: 'refineCollectionShardKey',
  RESHARD_COLLECTION: 'reshardCollection',
  SPLIT_CHUNK: 'splitChunk',
  UNSHARD_COLLECTION: 'unshardCollection',
} as const;

const onCluster = {
  CHECK_METADATA_CONSISTENCY: 'checkMetadataConsistency',
  CONN_POOL_STATS: 'connPoolStats',
  FLUSH_ROUTER_CONFIG: 'flushRouterConfig',
  GET_CMD_LINE_OPTS: 'getCmdLineOpts',
  GET_LOG: 'getLog',
  GET_PARAMETER: 'getParameter',
  GET_SHARD_MAP: 'getShardMap',
  HOST_INFO: 'hostInfo',
  IN_PROG: 'inprog',
  KILL_ANY_SESSION: 'killAnySession',
  KILL_OP: 'killop',
  LIST_DATABASES: 'listDatabases',
  LIST_SESSIONS: 'listSessions',
  LIST_SHARDS: 'listShards',
  NET_STAT: 'netstat',
  REPL_SET_GET_CONFIG: 'replSetGetConfig',
  REPL_SET_GET_STATUS: 'replSetGetStatus',
  SERVER_STATUS: 'serverStatus',
  SHARDED_DATA_DISTRIBUTION: 'shardedDataDistribution',
  SHARDING_STATE: 'shardingState',
  TOP: 'top',
} as const;

export type ActionName = keyof typeof inCollections | keyof typeof onCluster;

export const actionNames = [...Object.keys(inCollections), ...Object.keys(onCluster)] as ActionName[];

/** Returns the server's name of an action, and where the action applies. */
export function serverAction(name: string): { readonly action: string; readonly place: ActionScope } {
  const place = Object.hasOwn(inCollections, name) ? 'collection' : 'cluster';
  const names: Readonly<Record<string, string>> = { ...inCollections, ...onCluster };
  return { action: names[name] ?? name, place };
}

/**
 * The major version of the server that introduced each action. Actions that are not listed exist in all supported
 * versions.
 */
const since: Readonly<Record<string, number>> = {
  ANALYZE_SHARD_KEY: 7,
  CHECK_METADATA_CONSISTENCY: 7,
  CREATE_SEARCH_INDEXES: 7,
  DROP_SEARCH_INDEX: 7,
  LIST_SEARCH_INDEXES: 7,
  MOVE_COLLECTION: 8,
  SHARDED_DATA_DISTRIBUTION: 6,
  UNSHARD_COLLECTION: 8,
  UPDATE_SEARCH_INDEX: 7,
};

/** Returns the oldest version that supports all actions of these roles. */
export function oldestVersionOf(
  roles: readonly { readonly document: { readonly actions: readonly { readonly action: string }[] } }[],
): number {
  const versions = roles.flatMap(({ document }) => document.actions.map(({ action }) => since[action] ?? 0));
  return versions.reduce((oldest, version) => Math.max(oldest, version), 0);
}
