/** Arguments that every command takes; those that this engine reads are checked in `readGeneric`. */
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
