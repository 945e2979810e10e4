/** Arguments that every command accepts. `readGeneric` validates those that the engine uses. */
const names = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  'txnNumber',
  'autocommit',
  'startTransaction',
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
  '$configServerState',
  '$topologyTime',
  'maxTimeMSOpOnly',
  'mayBypassWriteBlocking',
  'rawData',
  'requestGossipRoutingCache',
  'serialization_context',
  'databaseVersion',
  'shardVersion',
]);

export function isGeneric(name: string): boolean {
  return names.has(name);
}
