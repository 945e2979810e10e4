/** This file lists the actions that several built-in roles share. */

export const words = (text: string) => text.trim().split(/\s+/);

export const READ = words(`changeStream collStats dbHash dbStats find killCursors listCollections listIndexes
  listSearchIndexes planCacheRead`);
export const READ_WRITE = [
  ...READ,
  ...words(`convertToCapped createCollection createIndex createSearchIndexes dropCollection dropIndex
    dropSearchIndex insert remove renameCollectionSameDB update updateSearchIndex`),
];
export const DB_ADMIN =
  words(`analyzeShardKey bypassDocumentValidation collMod collStats compact configureQueryAnalyzer convertToCapped
  createCollection createIndex createSearchIndexes dbStats dropCollection dropDatabase dropIndex dropSearchIndex
  enableProfiler indexStats listCollections listIndexes listSearchIndexes planCacheIndexFilter planCacheRead
  planCacheWrite reIndex renameCollectionSameDB storageDetails updateSearchIndex validate`);
export const PROFILE =
  words(`changeStream collStats convertToCapped createCollection dbHash dbStats dropCollection find
  killCursors listCollections listIndexes listSearchIndexes planCacheRead`);
/** On the system collections that contain accounts. */
export const ACCOUNT_INDEXES =
  words(`collStats createIndex createSearchIndexes dbHash dbStats dropIndex dropSearchIndex find
  killCursors planCacheRead`);
export const MONITOR_CLUSTER =
  words(`checkMetadataConsistency connPoolStats getClusterParameter getCmdLineOpts
  getDefaultRWConcern getLog getParameter getShardMap hostInfo inprog listClusterCatalog listDatabases listSessions
  listShards netstat queryStatsRead replSetGetConfig replSetGetStatus serverStatus shardingState top`);
export const MONITOR_DATABASE = words('collStats dbStats getDatabaseVersion getShardVersion indexStats');
export const MONITOR_SYSTEM = [...READ, ...MONITOR_DATABASE];
export const SHARDING =
  words(`analyzeShardKey enableSharding getDatabaseVersion getShardVersion moveCollection
  refineCollectionShardKey reshardCollection shardCollection shardedDataDistribution splitVector unshardCollection`);

export const USER_ADMIN =
  words(`changeCustomData changePassword createRole createUser dropRole dropUser grantRole
  revokeRole setAuthenticationRestriction viewRole viewUser`);
export const USER_ADMIN_CLUSTER = words('authSchemaUpgrade invalidateUserCache listDatabases viewUser');
export const MANAGE_CLUSTER =
  words(`addShard appendOplogNote applicationMessage checkMetadataConsistency cleanupOrphaned
  flushRouterConfig getClusterParameter getDefaultRWConcern listSessions listShards moveChunk moveCollection querySettings removeShard
  replSetConfigure replSetGetConfig replSetGetStatus replSetStateChange resync setChangeStreamState
  setClusterParameter setDefaultRWConcern setFeatureCompatibilityVersion setFreeMonitoring setUserWriteBlockMode
  transitionFromDedicatedConfigServer transitionToDedicatedConfigServer unshardCollection`);
export const MANAGE_DATABASE =
  words(`analyzeShardKey clearJumboFlag configureQueryAnalyzer enableSharding getDatabaseVersion getShardVersion
  moveChunk moveCollection refineCollectionShardKey reshardCollection shardedDataDistribution splitChunk splitVector
  unshardCollection`);
export const MANAGE_HOST =
  words(`applicationMessage closeAllDatabases compact connPoolSync cpuProfiler dropConnections
  flushRouterConfig fsync getParameter invalidateUserCache killAnyCursor killAnySession killop logRotate oidReset
  querySettings resync rotateCertificates setParameter shutdown touch unlock`);
export const RESTORE = words(`bypassDocumentValidation changeCustomData changePassword collMod convertToCapped
  createCollection createIndex createRole createSearchIndexes createUser dropCollection dropIndex dropRole
  dropSearchIndex dropUser grantRole insert listCollections remove revokeRole update updateSearchIndex viewRole
  viewUser`);
