import { MAX_DEPTH } from '../bson/validate.ts';

/**
 * This file contains a table of the server parameters. It contains the defaults that `getParameter` reports, and
 * whether a parameter can be set at startup, at runtime, or both.
 */

export type SettableAt = 'both' | 'runtime' | 'startup' | 'never';

export interface KnownParameter {
  readonly value: unknown;
  readonly at: SettableAt;
  /** The bounds of a numeric parameter. */
  readonly least?: number;
  readonly most?: number;
}

/**
 * Maximum number of sessions of a cluster. A session takes about 300 bytes. Adding a session to a table of this size
 * takes at most a few milliseconds, when the table grows.
 */
export const MAX_SESSIONS = 100_000;

type Rows = Readonly<Record<string, unknown>>;

const MIB = 1024 * 1024;

/**
 * Parameters that can be set at startup and at runtime. A number must be at least 0, unless `bounds` defines other
 * bounds.
 */
const both: Rows = {
  ShardingTaskExecutorPoolHostTimeoutMS: 300_000,
  ShardingTaskExecutorPoolMaxConnecting: 2,
  ShardingTaskExecutorPoolMinSize: 1,
  ShardingTaskExecutorPoolRefreshRequirementMS: 60_000,
  ShardingTaskExecutorPoolRefreshTimeoutMS: 20_000,
  ShardingTaskExecutorPoolReplicaSetMatching: 'automatic',
  allowDiskUseByDefault: true,
  automationServiceDescriptor: '',
  connPoolMaxInUseConnsPerHost: 2_147_483_647,
  cursorTimeoutMillis: 600_000n,
  diagnosticDataCollectionEnabled: true,
  diagnosticDataCollectionPeriodMillis: 1000,
  disableJavaScriptJIT: true,
  enableDetailedConnectionHealthMetricLogLines: true,
  enableFlowControl: true,
  flowControlTargetLagSeconds: 10,
  indexBuildMinAvailableDiskSpaceMB: 500n,
  internalDocumentSourceGroupMaxMemoryBytes: BigInt(100 * MIB),
  internalDocumentSourceSetWindowFieldsMaxMemoryBytes: BigInt(100 * MIB),
  internalInsertMaxBatchSize: 500,
  internalLookupStageIntermediateDocumentMaxSizeBytes: BigInt(100 * MIB),
  internalQueryFacetBufferSizeBytes: 100 * MIB,
  internalQueryFacetMaxOutputDocSizeBytes: BigInt(100 * MIB),
  internalQueryFindCommandBatchSize: 101,
  internalQueryForceIntersectionPlans: false,
  internalQueryFrameworkControl: 'trySbeRestricted',
  internalQueryMaxAddToSetBytes: 100 * MIB,
  internalQueryMaxBlockingSortMemoryUsageBytes: BigInt(100 * MIB),
  internalQueryMaxPushBytes: 100 * MIB,
  internalQueryPlanEvaluationMaxResults: 101,
  internalQueryPlannerMaxIndexedSolutions: 64,
  internalQueryStatsRateLimit: 0,
  journalCommitInterval: 100,
  maxIndexBuildMemoryUsageMegabytes: 200,
  maxLogSizeKB: 10,
  maxNumActiveUserIndexBuilds: 3,
  maxTransactionLockRequestTimeoutMillis: 5,
  maxValidateMemoryUsageMB: 200,
  minSnapshotHistoryWindowInSeconds: 300,
  notablescan: false,
  oplogBatchDelayMillis: 0,
  planCacheSize: '5%',
  replBatchLimitBytes: 100 * MIB,
  replBatchLimitOperations: 5000,
  scramIterationCount: 10_000,
  scramSHA256IterationCount: 15_000,
  slowConnectionThresholdMillis: 100,
  transactionLifetimeLimitSeconds: 60,
  ttlMonitorEnabled: true,
  ttlMonitorSleepSecs: 60,
  watchdogPeriodSeconds: -1,
};

const startup: Rows = {
  KeysRotationIntervalSec: 7_776_000,
  authenticationMechanisms: ['SCRAM-SHA-1', 'SCRAM-SHA-256'],
  connPoolMaxConnsPerHost: 200,
  disableLogicalSessionCacheRefresh: false,
  enableLocalhostAuthBypass: true,
  enableTestCommands: false,
  indexMaxNumGeneratedKeysPerDocument: 100_000,
  initialSyncMethod: 'logical',
  localLogicalSessionTimeoutMinutes: 30,
  logicalSessionRefreshMillis: 300_000,
  maxAcceptableLogicalClockDriftSecs: 31_536_000n,
  maxBSONDepth: MAX_DEPTH,
  maxSessions: MAX_SESSIONS,
  oplogFetcherUsesExhaust: true,
  periodicNoopIntervalSecs: 10,
  replWriterThreadCount: 16,
  saslHostName: '',
  saslauthdPath: '',
  skipShardingConfigurationChecks: false,
};

const runtime: Rows = {
  logComponentVerbosity: undefined,
  traceExceptions: false,
};

const never: Rows = { authSchemaVersion: 5, featureCompatibilityVersion: undefined };

/** The bounds of numbers. A number that is not listed has a minimum of 0 and no maximum. */
const bounds: Readonly<Record<string, Pick<KnownParameter, 'least' | 'most'>>> = {
  internalInsertMaxBatchSize: { least: 1 },
  internalQueryFindCommandBatchSize: { least: 0 },
  internalQueryMaxAddToSetBytes: { least: 1 },
  internalQueryMaxPushBytes: { least: 1 },
  journalCommitInterval: { least: 1, most: 500 },
  maxIndexBuildMemoryUsageMegabytes: { least: 50 },
  scramIterationCount: { least: 5000 },
  scramSHA256IterationCount: { least: 5000 },
  transactionLifetimeLimitSeconds: { least: 1 },
  ttlMonitorSleepSecs: { least: 1 },
  watchdogPeriodSeconds: { least: -1 },
};

function rows(at: SettableAt, values: Rows): Array<[string, KnownParameter]> {
  return Object.entries(values).map(([name, value]) => [
    name,
    { value, at, ...(bounds[name] ?? { least: 0 }) },
  ]);
}

export const parameterTable: ReadonlyMap<string, KnownParameter> = new Map(
  [
    ...rows('both', { ...both, logLevel: 0, quiet: false }),
    ...rows('startup', startup),
    ...rows('runtime', runtime),
    ...rows('never', never),
  ].sort(([a], [b]) => (a < b ? -1 : 1)),
);
