/**
 * Names in the documentation of version 8.2 of the reference server that the engine does not support. The engine's own
 * tables contain the supported names.
 */
export const missingNames = {
  /** Commands, except those that only members of a cluster send. */
  commands: words(`
    abortMoveCollection abortReshardCollection abortUnshardCollection addShard
    checkMetadataConsistency checkShardingIndex cleanupOrphaned cleanupReshardCollection
    cleanupStructuredEncryptionData clearJumboFlag commitReshardCollection
    driverOIDTest features getAuditConfig getDiagnosticData
    getShardVersion isSelf mergeAllChunksOnShard moveCollection removeShard
    replSetReconfig
    setAuditConfig setProfilingFilterGlobally splitVector startShardDraining
    startTrafficRecording stopShardDraining stopTrafficRecording transitionFromDedicatedConfigServer
    transitionToDedicatedConfigServer
  `),
  stages: words('$backupCursor $backupCursorExtend $listMqlEntities'),
  expressions: words(`
    $encStrContains $encStrEndsWith $encStrNormalizedEq $encStrStartsWith $similarityCosine
    $similarityDotProduct $similarityEuclidean
  `),
  queryOperators: words('$encryptedBetween'),
} as const;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
