/**
 * What the reference server of version 8.2 knows by name, from its public documentation: `docs/engine.md` tells of each
 * whether the engine knows it too.
 */
export const serverNames = {
  /** Commands, those between its own members aside. */
  commands: words(`
    abortMoveCollection abortReshardCollection abortTransaction abortUnshardCollection addShard
    addShardToZone aggregate analyzeShardKey appendOplogNote applyOps authenticate autoCompact
    balancerCollectionStatus balancerStart balancerStatus balancerStop buildInfo bulkWrite
    checkMetadataConsistency checkShardingIndex cleanupOrphaned cleanupReshardCollection
    cleanupStructuredEncryptionData clearJumboFlag cloneCollectionAsCapped collMod collStats
    commitReshardCollection commitTransaction compact compactStructuredEncryptionData
    configureCollectionBalancing configureQueryAnalyzer connectionStatus connPoolStats convertToCapped
    coordinateCommitTransaction count create createIndexes createRole createSearchIndexes createUser
    currentOp dataSize dbHash dbStats delete distinct driverOIDTest drop dropAllRolesFromDatabase
    dropAllUsersFromDatabase dropConnections dropDatabase dropIndexes dropRole dropSearchIndex dropUser
    enableSharding endSessions explain features filemd5 find findAndModify flushRouterConfig fsync
    fsyncUnlock getAuditConfig getClusterParameter getCmdLineOpts getDefaultRWConcern getDiagnosticData
    getLog getMore getParameter getShardMap getShardVersion grantPrivilegesToRole grantRolesToRole
    grantRolesToUser hello hostInfo insert invalidateUserCache isdbgrid isMaster isSelf killAllSessions
    killAllSessionsByPattern killCursors killOp killSessions listCollections listCommands listDatabases
    listIndexes listShards lockInfo logApplicationMessage logout logRotate mapReduce
    mergeAllChunksOnShard mergeChunks moveChunk moveCollection movePrimary moveRange ping planCacheClear
    planCacheClearFilters planCacheListFilters planCacheSetFilter prepareTransaction profile
    refineCollectionShardKey refreshSessions reIndex removeQuerySettings removeShard removeShardFromZone
    renameCollection replSetAbortPrimaryCatchUp replSetFreeze replSetGetConfig replSetGetStatus
    replSetInitiate replSetMaintenance replSetReconfig replSetResizeOplog replSetStepDown
    replSetSyncFrom reshardCollection revokePrivilegesFromRole revokeRolesFromRole revokeRolesFromUser
    rolesInfo rotateCertificates saslContinue saslStart serverStatus setAuditConfig setClusterParameter
    setDefaultRWConcern setFeatureCompatibilityVersion setIndexCommitQuorum setParameter
    setProfilingFilterGlobally setQuerySettings setUserWriteBlockMode shardCollection shardingState
    shutdown split splitVector startSession startShardDraining startTrafficRecording stopShardDraining
    stopTrafficRecording top transitionFromDedicatedConfigServer transitionToDedicatedConfigServer
    unshardCollection update updateRole updateSearchIndex updateUser updateZoneKeyRange usersInfo
    validate validateDBMetadata whatsmyuri
  `),
  /** Stages of pipelines. */
  stages: words(`
    $addFields $backupCursor $backupCursorExtend $bucket $bucketAuto $changeStream
    $changeStreamSplitLargeEvent $collStats $count $currentOp $densify $documents $facet $fill $geoNear
    $graphLookup $group $indexStats $limit $listClusterCatalog $listLocalSessions $listMqlEntities
    $listSampledQueries $listSearchIndexes $listSessions $lookup $match $merge $out $planCacheStats
    $project $querySettings $queryStats $rankFusion $redact $replaceRoot $replaceWith $sample $score
    $scoreFusion $search $searchMeta $set $setWindowFields $shardedDataDistribution $skip $sort
    $sortByCount $unionWith $unset $unwind $vectorSearch
  `),
  /** Operators of expressions. */
  expressions: words(`
    $abs $acos $acosh $add $allElementsTrue $and $anyElementTrue $arrayElemAt $arrayToObject $asin
    $asinh $atan $atan2 $atanh $avg $binarySize $bitAnd $bitNot $bitOr $bitXor $bsonSize $ceil $cmp
    $concat $concatArrays $cond $const $convert $cos $cosh $dateAdd $dateDiff $dateFromParts
    $dateFromString $dateSubtract $dateToParts $dateToString $dateTrunc $dayOfMonth $dayOfWeek
    $dayOfYear $degreesToRadians $divide $encStrContains $encStrEndsWith $encStrNormalizedEq
    $encStrStartsWith $eq $exp $filter $first $firstN $floor $function $getField $gt $gte $hour $ifNull
    $in $indexOfArray $indexOfBytes $indexOfCP $isArray $isNumber $isoDayOfWeek $isoWeek $isoWeekYear
    $last $lastN $let $literal $ln $log $log10 $lt $lte $ltrim $map $max $maxN $median $mergeObjects
    $meta $millisecond $min $minN $minute $mod $month $multiply $ne $not $objectToArray $or $percentile
    $pow $radiansToDegrees $rand $range $reduce $regexFind $regexFindAll $regexMatch $replaceAll
    $replaceOne $reverseArray $round $rtrim $second $setDifference $setEquals $setField $setIntersection
    $setIsSubset $setUnion $sigmoid $similarityCosine $similarityDotProduct $similarityEuclidean $sin
    $sinh $size $slice $sortArray $split $sqrt $stdDevPop $stdDevSamp $strcasecmp $strLenBytes $strLenCP
    $substr $substrBytes $substrCP $subtract $sum $switch $tan $tanh $toBool $toDate $toDecimal
    $toDouble $toHashedIndexKey $toInt $toLong $toLower $toObjectId $toString $toUpper $toUUID $trim
    $trunc $tsIncrement $tsSecond $type $unsetField $week $year $zip
  `),
  /** Accumulators of `$group` and of its kin. */
  accumulators: words(`
    $accumulator $addToSet $avg $bottom $bottomN $concatArrays $count $first $firstN $last $lastN $max
    $maxN $median $mergeObjects $min $minN $percentile $push $setUnion $stdDevPop $stdDevSamp $sum $top
    $topN
  `),
  /** Functions of `$setWindowFields` that are no accumulators. */
  windowFunctions: words(`
    $covariancePop $covarianceSamp $denseRank $derivative $documentNumber $expMovingAvg $integral
    $linearFill $locf $minMaxScaler $rank $shift
  `),
  /** Operators below a path of a filter. */
  queryOperators: words(`
    $all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $elemMatch $encryptedBetween $eq $exists
    $geoIntersects $geoNear $geoWithin $gt $gte $in $lt $lte $maxDistance $minDistance $mod $ne $near
    $nearSphere $nin $not $options $regex $size $type $uniqueDocs $within
  `),
  /** Operators in the place of a path of a filter. */
  topLevel: words(`
    $alwaysFalse $alwaysTrue $and $comment $expr $jsonSchema $nor $or $sampleRate $text $where
  `),
  /** Operators of updates. */
  updateOperators: words(`
    $addToSet $bit $currentDate $inc $max $min $mul $pop $pull $pullAll $push $rename $set $setOnInsert
    $unset
  `),
  /** Keywords of `$jsonSchema`. */
  schemaKeywords: words(`
    additionalItems additionalProperties allOf anyOf bsonType dependencies description enum
    exclusiveMaximum exclusiveMinimum items maximum maxItems maxLength maxProperties minimum minItems
    minLength minProperties multipleOf not oneOf pattern patternProperties properties required title
    type uniqueItems
  `),
} as const;

export type Kind = keyof typeof serverNames;

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
