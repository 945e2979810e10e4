/**
 * What the reference server of version 8.2 knows by name and the engine does not, from its public documentation. What
 * the engine knows is read off its own tables.
 */
export const missingNames = {
  /** Commands, those between its own members aside. */
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
