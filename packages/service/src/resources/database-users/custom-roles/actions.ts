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

/** Actions that the contract does not list. They may name any resource. */
const others = {
  ANALYZE: 'analyze',
  BYPASS_DEFAULT_MAX_TIME_MS: 'bypassDefaultMaxTimeMS',
  BYPASS_USER_WRITE_BLOCK: 'bypassWriteBlockingMode',
  CREATE_SEARCH_INDEX: 'createSearchIndexes',
  KILL_ANY_CURSOR: 'killAnyCursor',
  SET_USER_WRITE_BLOCK: 'setUserWriteBlockMode',
} as const;

/**
 * Actions of data federation and streams. Roles may contain them, but they permit nothing on clusters, because servers
 * do not know them.
 */
const elsewhere = [
  ...['OUT_TO_AZURE', 'OUT_TO_GCS', 'OUT_TO_S3', 'SQL_GET_SCHEMA', 'SQL_SET_SCHEMA'],
  ...['STORAGE_GET_CONFIG', 'STORAGE_SET_CONFIG', 'VIEW_ALL_HISTORY', 'LIST_CONNECTIONS'],
  ...['CREATE', 'DROP', 'GET', 'MODIFY', 'PROCESS', 'SAMPLE', 'START', 'STOP'].map(
    (verb) => `${verb}_STREAM_PROCESSOR`,
  ),
  ...['LIST_STREAM_PROCESSORS', 'STREAM_PROCESSOR_STATS'],
];

const serverNames: Readonly<Record<string, string>> = { ...inCollections, ...onCluster, ...others };

export const actionNames: readonly string[] = [...Object.keys(serverNames), ...elsewhere];

/** Returns the server's name of an action; undefined if servers do not know the action. */
export function serverAction(name: string): string | undefined {
  return serverNames[name];
}

/** Returns where an action applies; undefined if it may apply anywhere. */
export function scopeOfAction(name: string): ActionScope | undefined {
  if (Object.hasOwn(inCollections, name)) return 'collection';
  return Object.hasOwn(onCluster, name) ? 'cluster' : undefined;
}

/**
 * The major version of the server that introduced each action. Actions that are not listed exist in all supported
 * versions.
 */
const since: Readonly<Record<string, number>> = {
  ANALYZE: 7,
  ANALYZE_SHARD_KEY: 7,
  BYPASS_DEFAULT_MAX_TIME_MS: 8,
  BYPASS_USER_WRITE_BLOCK: 6,
  CHECK_METADATA_CONSISTENCY: 7,
  CREATE_SEARCH_INDEX: 7,
  CREATE_SEARCH_INDEXES: 7,
  DROP_SEARCH_INDEX: 7,
  LIST_SEARCH_INDEXES: 7,
  MOVE_COLLECTION: 8,
  SET_USER_WRITE_BLOCK: 6,
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
