import type { OperationChange } from '../../api/dialect/dialect.ts';
import {
  withAnyExpiry,
  withAnyInterval,
  withCheckedTags,
  withChosenIds,
  withFreeWindow,
  withOptionalDisk,
  withoutEmptyNamespaces,
  withoutShardCount,
  withoutSharedDisk,
  withoutZeroIntervals,
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

/**
 * How operations differ from the neutral form, by operation id. Differences in words are declared elsewhere. Statuses
 * are those of the vendor's service, whose documentation sometimes names other statuses.
 */
export const operations: Readonly<Record<string, OperationChange>> = {
  addProjectRole: { replyIn: { field: 'inProject', like: 'getProjectUser' } },
  createAlertConfiguration: { status: 201, prepare: (body) => withChosenIds(withoutZeroIntervals(body)) },
  createCluster: { prepare: newCluster, omitsEmpty: ['tags'] },
  createCustomDatabaseRole: { status: 202, prepare: withoutEmptyNamespaces },
  createFlexCluster: { prepare: withCheckedTags, omitsEmpty: ['tags'] },
  createLinkToken: { status: 201 },
  createPlatformSearchDeployment: { from: '2023-01-01' },
  createPlatformSearchIndex: { omits: ['latestDefinitionVersion.createdAt'] },
  createProject: { status: 201, prepare: withCheckedTags, omitsEmpty: ['tags'] },
  createProjectIpAccessList: { status: 201 },
  createPushBasedLogExport: { status: 200 },
  createTeam: { status: 201, optional: ['usernames'], prepare: withUsernames },
  createUser: { status: 201 },
  deleteCustomerX509: { status: 202 },
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
  getMaintenanceWindow: { versions: 'contract' },
  getPlatformSearchDeployment: { versions: 'all', from: '2023-01-01' },
  getReplicaSetBackup: { otherwise: ofOtherKind('getShardedClusterBackup') },
  getShardedClusterBackup: { otherwise: ofOtherKind('getReplicaSetBackup') },
  grantDbEmployeeAccess: { prepare: withAnyExpiry },
  listClusterSuggestedIndexes: { from: '2024-08-05' },
  listDropIndexes: { from: '2024-08-05' },
  listSchemaAdvice: { from: '2024-08-05' },
  removeProjectRole: { replyIn: { field: 'inProject', like: 'getProjectUser' } },
  toggleAwsCustomDns: { status: 202 },
  toggleMaintenanceAutoDefer: { status: 200 },
  upgradeSharedCluster: { prepare: withoutSharedDisk },
  updateAlertConfiguration: { prepare: withoutZeroIntervals },
  updateAuditingConfiguration: { status: 202, prepare: withTrimmedFilter },
  updateBackupSchedule: { prepare: withFreeWindow },
  updateCluster: { prepare: (body) => withoutShardCount(withZonesOfAnySize(withCheckedTags(body))) },
  updateCustomDatabaseRole: { prepare: withoutEmptyNamespaces },
  updateDataProtectionSettings: { prepare: withAnyInterval },
  updateFlexCluster: { prepare: withCheckedTags },
  updateMaintenanceWindow: { status: 200, versions: 'contract' },
  updatePlatformSearchDeployment: { from: '2023-01-01' },
  updatePushBasedLogExport: { status: 200 },
  updateUserSecurity: { status: 202 },
  updateProject: { prepare: withCheckedTags },
};

function newCluster(body: unknown): unknown {
  return withZonesOfAnySize(withOptionalDisk(withoutShardCount(withCheckedTags(body))));
}

/** Clients read and delete a snapshot without knowing whether it belongs to a replica set or a sharded cluster. */
function ofOtherKind(operation: string) {
  return { code: 'INCORRECT_BACKUP_API_ENDPOINT', operation };
}
