/**
 * Names that version 8.2 of the reference server documents and the engine does not support. Supported names come from
 * the engine's own tables.
 */
export const missingNames = {
  /** Commands, without those between members. */
  commands: words(`
    abortMoveCollection abortReshardCollection abortUnshardCollection addShard analyzeShardKey
    appendOplogNote checkMetadataConsistency checkShardingIndex cleanupOrphaned cleanupReshardCollection
    cleanupStructuredEncryptionData clearJumboFlag commitReshardCollection configureQueryAnalyzer
    driverOIDTest features getAuditConfig getDiagnosticData
    getShardVersion isSelf mergeAllChunksOnShard moveCollection removeShard replSetAbortPrimaryCatchUp
    replSetInitiate replSetMaintenance replSetReconfig replSetSyncFrom
    setAuditConfig setProfilingFilterGlobally shardingState splitVector startShardDraining
    startTrafficRecording stopShardDraining stopTrafficRecording transitionFromDedicatedConfigServer
    transitionToDedicatedConfigServer
  `),
  stages: words('$backupCursor $backupCursorExtend $listMqlEntities'),
  expressions: words(`
    $encStrContains $encStrEndsWith $encStrNormalizedEq $encStrStartsWith $similarityCosine
    $similarityDotProduct $similarityEuclidean
  `),
  windowFunctions: words('$minMaxScaler'),
  queryOperators: words('$encryptedBetween'),
} as const;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
