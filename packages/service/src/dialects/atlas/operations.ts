import type { OperationChange } from '../../api/dialect/dialect.ts';
import { withStreamThreshold } from './alerts.ts';
import {
  withAnyExpiry,
  withAnyInterval,
  withCheckedTags,
  withChosenIds,
  withFixedIops,
  withFreeWindow,
  withOptionalDisk,
  withoutEmptyNamespaces,
  withoutNoRestriction,
  withoutShardCount,
  withoutSharedDisk,
  withoutZeroIntervals,
  withPauseOfActive,
  withSnapshotId,
  withTrimmedFilter,
  withUsernames,
  withZonesOfAnySize,
} from './bodies.ts';

/** The process arguments of shared clusters, which cannot be changed. */
const sharedArguments = {
  changeStreamOptionsPreAndPostImagesExpireAfterSeconds: null,
  chunkMigrationConcurrency: null,
  customOpensslCipherConfigTls12: [],
  defaultMaxTimeMS: null,
  defaultReadConcern: null,
  defaultWriteConcern: null,
  failIndexKeyTooLong: null,
  javascriptEnabled: true,
  minimumEnabledTlsProtocol: 'TLS1_2',
  noTableScan: false,
  oplogMinRetentionHours: null,
  oplogSizeMB: null,
  queryStatsLogVerbosity: 1,
  sampleRefreshIntervalBIConnector: null,
  sampleSizeBIConnector: null,
  tlsCipherConfigMode: 'DEFAULT',
  transactionLifetimeLimitSeconds: null,
};

/** The global writes of clusters that are not global. The Kubernetes operator reads them for each cluster. */
const noGlobalWrites = { customZoneMapping: {}, managedNamespaces: [], selfManagedSharding: false };

/** With this header, requested sizes and disks are kept, and shown next to those that autoscaling has chosen. */
const effectiveFields: OperationChange['flags'] = [
  {
    flag: 'keepsRequest',
    header: 'Use-Effective-Instance-Fields',
    description:
      'Whether `electableSpecs`, `readOnlySpecs` and `analyticsSpecs` contain the requested sizes and disks, which autoscaling does not change. The current values are in the fields whose names begin with `effective`. The header has no effect on clusters with several shards.',
    since: '2024-08-05',
  },
];

/** With the second header, requested specifications of all shards are kept and shown. */
const effectiveSpecs: OperationChange['flags'] = [
  ...effectiveFields,
  {
    flag: 'keepsSpecs',
    header: 'Use-Effective-Fields-Replication-Specs',
    description:
      'Whether `replicationSpecs` contains what the last request with this header contained. The current values are in `effectiveReplicationSpecs`. Autoscaling changes only the current values.',
    since: '2024-08-05',
  },
];

/**
 * How operations differ from the neutral form, by operation id. Differences in words are declared elsewhere. Statuses
 * are those of the vendor's service, whose documentation sometimes names other statuses.
 */
export const operations: Readonly<Record<string, OperationChange>> = {
  addProjectRole: { replyIn: { field: 'inProject', like: 'getProjectUser' } },
  createAlertConfiguration: { status: 201, prepare: newAlertConfiguration },
  createBackupRestoreJob: { prepare: withSnapshotId },
  createCluster: { prepare: newCluster, omitsEmpty: ['tags'], flags: effectiveSpecs },
  createCustomDatabaseRole: { status: 202, prepare: withoutEmptyNamespaces },
  createFlexCluster: { prepare: withCheckedTags, omitsEmpty: ['tags'] },
  createIdentityProvider: { from: '2023-11-15' },
  createLinkToken: { status: 201 },
  createPlatformSearchDeployment: { from: '2023-01-01' },
  createPlatformSearchIndex: { omits: ['latestDefinitionVersion.createdAt'] },
  createProject: { status: 201, prepare: newProject, omitsEmpty: ['tags'] },
  createProjectIpAccessList: { status: 201 },
  createPushBasedLogExport: { status: 200 },
  createTeam: { status: 201, optional: ['usernames'], prepare: withUsernames },
  createUser: { status: 201 },
  deleteCustomerX509: { status: 202 },
  deleteIdentityProvider: { from: '2023-11-15' },
  deleteLdapUserMapping: { status: 202 },
  deleteOnlineArchive: { status: 200 },
  deletePushBasedLogExport: { status: 200 },
  deferMaintenanceWindow: { status: 200 },
  deletePlatformSearchDeployment: { from: '2023-01-01' },
  deleteReplicaSetBackup: { otherwise: ofOtherKind('deleteShardedClusterBackup') },
  deleteShardedClusterBackup: { otherwise: ofOtherKind('deleteReplicaSetBackup') },
  deletePeeringConnection: { status: 202 },
  deleteProject: { status: 202 },
  getClusterAdvancedConfiguration: {
    instead: { TENANT_CLUSTER_PROCESS_ARGS_NOT_SUPPORTED: sharedArguments },
  },
  getHostLogs: { from: '2023-01-01' },
  getCluster: { flags: effectiveSpecs },
  getMaintenanceWindow: { versions: 'contract' },
  getManagedNamespace: { instead: { CLUSTER_NOT_GLOBAL: noGlobalWrites } },
  getPlatformSearchDeployment: { versions: 'all', from: '2023-01-01' },
  getReplicaSetBackup: { otherwise: ofOtherKind('getShardedClusterBackup') },
  getShardedClusterBackup: { otherwise: ofOtherKind('getReplicaSetBackup') },
  grantDbEmployeeAccess: { prepare: withAnyExpiry },
  listClusterSuggestedIndexes: { from: '2024-08-05' },
  listClusters: { flags: effectiveFields },
  listDropIndexes: { from: '2024-08-05' },
  listSchemaAdvice: { from: '2024-08-05' },
  loadSampleDataset: { sets: ['loadsVendorData'] },
  removeOrganizationUser: { from: '2023-01-01' },
  removeProjectRole: { replyIn: { field: 'inProject', like: 'getProjectUser' } },
  revokeJwksFromIdentityProvider: { from: '2023-11-15' },
  toggleAwsCustomDns: { status: 202 },
  toggleMaintenanceAutoDefer: { status: 200 },
  upgradeSharedCluster: { prepare: withoutSharedDisk },
  updateAlertConfiguration: { prepare: (body) => withStreamThreshold(withoutZeroIntervals(body)) },
  updateAuditingConfiguration: { status: 202, prepare: withTrimmedFilter },
  updateBackupSchedule: { prepare: withFreeWindow },
  updateCluster: {
    prepare: (body) => withFixedIops(withoutShardCount(withZonesOfAnySize(withCheckedTags(body)))),
    flags: effectiveSpecs,
  },
  updateCustomDatabaseRole: { prepare: withoutEmptyNamespaces },
  updateDataProtectionSettings: { prepare: withAnyInterval },
  updateFlexCluster: { prepare: withCheckedTags },
  updateMaintenanceWindow: { status: 200, versions: 'contract' },
  updateOnlineArchive: { prepare: withPauseOfActive },
  updatePlatformSearchDeployment: { from: '2023-01-01' },
  updatePushBasedLogExport: { status: 200 },
  updateUserSecurity: { status: 202 },
  updateProject: { prepare: withCheckedTags },
};

function newAlertConfiguration(body: unknown): unknown {
  return withStreamThreshold(withChosenIds(withoutZeroIntervals(body)));
}

function newProject(body: unknown): unknown {
  return withoutNoRestriction(withCheckedTags(body));
}

function newCluster(body: unknown): unknown {
  return withFixedIops(withZonesOfAnySize(withOptionalDisk(withoutShardCount(withCheckedTags(body)))));
}

/** Clients read and delete a snapshot without knowing whether it belongs to a replica set or a sharded cluster. */
function ofOtherKind(operation: string) {
  return { code: 'INCORRECT_BACKUP_API_ENDPOINT', operation };
}
