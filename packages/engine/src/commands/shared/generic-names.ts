/** Arguments that every command accepts. `readGeneric` validates those that the engine uses. */
const names = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'stmtId',
  'readConcern',
  'writeConcern',
  '$readPreference',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  '$audit',
  '$client',
  '$configTime',
  '$configServerState',
  '$queryOptions',
  '$replData',
  '$topologyTime',
  'clientOperationKey',
  'coordinator',
  'maxTimeMSOpOnly',
  'mayBypassWriteBlocking',
  'rawData',
  'requestGossipRoutingCache',
  'serialization_context',
  'txnRetryCounter',
  'databaseVersion',
  'shardVersion',
]);

export function isGeneric(name: string): boolean {
  return names.has(name);
}
