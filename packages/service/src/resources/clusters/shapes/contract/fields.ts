import Type from 'typebox';
import { Choice, DateTime, Id, Links, readOnly, ruled } from '../../../../api/fields.ts';
import { MAX_NAME, NAME_PATTERN } from '../../model/names.ts';
import { settings } from '../../model/settings.ts';
import { clusterStates } from '../../model/states.ts';
import { connectionFields } from './connection-fields.ts';
import { field, schemasOf } from './field.ts';
import { electableCounts, ProviderSettings, RegionsConfig, ReplicationSpec } from './topology-schema.ts';

const optional = Type.Optional;
const flag = (options: object = {}) => optional(Type.Boolean({ default: false, ...options }));
const ConnectionStrings = Type.Object(schemasOf(connectionFields));
const later = 'Has no effect yet.';

const DbEmployeeAccessGrant = Type.Object({
  expirationTime: DateTime(),
  grantType: Type.String(),
});

/** The fields of a cluster in the contract's shape (docs/contract/api.md 2.15); `docs/clusters.md` is generated from it. */
export const clusterFields = {
  acceptDataRisksAndForceReplicaSetReconfig: field(
    settings.acceptDataRisksAndForceReplicaSetReconfig,
    'acts',
    'Only in updates: the current date allows the reconfiguration of a replica set that has lost its majority.',
    ['INVALID_ATTRIBUTE'],
  ),
  advancedConfiguration: field(
    settings.advancedConfiguration,
    'acts',
    'The minimum TLS version of the nodes. Ciphers require the mode CUSTOM, and are stored without effect.',
    ['INVALID_ATTRIBUTE', 'INVALID_ENUM_VALUE', 'INVALID_TENANT_CONFIGURATION'],
  ),
  autoScaling: field(
    settings.autoScaling,
    'acts',
    'Whether disk and instance size follow the load, and the limits of the instance size.',
    [
      'COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED',
      'COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID',
      'COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_INVALID',
      'COMPUTE_AUTO_SCALING_INSTANCE_SIZE_RANGE_INVALID',
      'COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID',
    ],
  ),
  backupEnabled: field(
    settings.backupEnabled,
    'stored',
    'Legacy backups, which are not available for new clusters.',
    ['CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS', 'PLATFORM_BACKUP_CONFLICTING_OPTIONS'],
  ),
  biConnector: field(
    settings.biConnector,
    'stored',
    `The BI connector, which by default reads from analytics nodes if the cluster has any. ${later}`,
    ['INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY', 'INVALID_TENANT_CONFIGURATION'],
  ),
  clusterType: field(
    optional(Choice(['REPLICASET', 'SHARDED', 'GEOSHARDED'], { default: 'REPLICASET' })),
    'acts',
    'A replica set, or shards with routers; a replica set can be changed to a sharded cluster.',
    [
      'SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET',
      'CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE',
      'SHARDING_NOT_SUPPORTED',
    ],
  ),
  configServerManagementMode: field(
    settings.configServerManagementMode,
    'stored',
    'FIXED_TO_DEDICATED requires a sharded type. Stored without effect: the first shard holds the metadata of the cluster.',
    ['INVALID_ATTRIBUTE'],
  ),
  configServerType: field(
    readOnly(Choice(['DEDICATED', 'EMBEDDED'])),
    'answered',
    'Sharded types only: EMBEDDED from version 8.0 on, except with FIXED_TO_DEDICATED or after conversion from a replica set.',
  ),
  connectionStrings: field(readOnly(ConnectionStrings), 'answered', 'Connection strings for drivers.'),
  createDate: field(readOnly(DateTime()), 'answered', 'Creation time of the cluster.'),
  dbEmployeeAccessGrant: field(
    readOnly(DbEmployeeAccessGrant),
    'answered',
    "Access granted to the operator's employees, with its expiry; absent once it has expired.",
  ),
  dbMajorVersion: field(
    optional(Type.String()),
    'acts',
    'The version that the nodes report; an update raises it by at most one major version.',
    [
      'DB_VERSION_INVALID',
      'PLATFORM_CLUSTER_VERSION_DEPRECATED',
      'CLUSTER_UPGRADE_INVALID',
      'INVALID_DB_VERSION_CONFIG',
      'CLUSTER_VERSION_INCOMPATIBLE_WITH_EXISTING_CUSTOM_ROLES',
    ],
  ),
  dbURI: field(
    readOnly(Type.String()),
    'answered',
    'Addresses of the nodes or routers; absent before the first deployment.',
  ),
  dbURIUpdated: field(readOnly(DateTime()), 'answered', 'Time of the last change of the list of nodes.'),
  dbURIWithOptions: field(readOnly(Type.String()), 'answered', 'The standard connection string.'),
  dbVersion: field(
    readOnly(Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' })),
    'answered',
    'Full version including the patch.',
  ),
  diskSizeGB: field(
    optional(Type.Number()),
    'acts',
    'Limit of the data on each node, in whole gigabytes; within the bounds of the instance size, and not below the stored data.',
    [
      'CLUSTER_DISK_SIZE_INVALID',
      'CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER',
      'DISK_SIZE_GB_TOO_SMALL',
      'CANNOT_DECREASE_DISK_SIZE',
    ],
  ),
  diskWarmingMode: field(settings.diskWarmingMode, 'stored', later),
  encryptionAtRestProvider: field(
    settings.encryptionAtRestProvider,
    'acts',
    "Files, logs and snapshots of the cluster are encrypted with a key that the provider's key encrypts.",
    [
      'ENCRYPTION_AT_REST_NOT_ENABLED',
      'INVALID_ENCRYPTION_AT_REST_PROVIDER',
      'CANNOT_CHANGE_ENCRYPTION_AT_REST_PROVIDER',
      'CANNOT_USE_ENCRYPTION_AT_REST_TENANT',
    ],
  ),
  featureCompatibilityVersion: field(
    readOnly(Type.String()),
    'answered',
    'The pinned major version, or the major version of the nodes.',
  ),
  featureCompatibilityVersionExpirationDate: field(readOnly(DateTime()), 'answered', 'Expiry of the pin.'),
  globalClusterSelfManagedSharding: field(
    settings.globalClusterSelfManagedSharding,
    'stored',
    'Only for GEOSHARDED clusters, and only at creation.',
    [
      'CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER',
      'CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING',
    ],
  ),
  groupId: field(readOnly(Id()), 'answered', 'Id of the project.'),
  id: field(readOnly(Id()), 'answered', 'Id of the cluster.'),
  labels: field(settings.labels, 'stored', 'Key-value pairs.'),
  links: field(Links, 'answered', 'Links to related resources.'),
  name: field(
    optional(ruled(Type.String(), { pattern: NAME_PATTERN, maxLength: MAX_NAME })),
    'acts',
    'Name of the cluster, used in paths and host names; cannot be changed.',
    ['CLUSTER_CANNOT_CHANGE_NAME', 'DUPLICATE_CLUSTER_NAME', 'CLUSTER_NAME_INVALID'],
  ),
  numShards: field(
    optional(ruled(Type.Integer({ default: 1 }), { minimum: 1 })),
    'acts',
    'Number of shards of a single zone; with replicationSpecs, the total number of shards.',
    ['CLUSTER_NUM_SHARDS_INVALID', 'INVALID_CLUSTER_CONFIGURATION'],
  ),
  paused: field(
    flag(),
    'acts',
    'The nodes are stopped; the data is kept. The cluster resumes automatically after 30 days. A free cluster is paused after 30 days without connections.',
    [
      'CANNOT_CREATE_PAUSED_CLUSTER',
      'CANNOT_UPDATE_AND_PAUSE_CLUSTER',
      'CANNOT_UPDATE_PAUSED_CLUSTER',
      'CLUSTER_ALREADY_PAUSED',
      'CANNOT_PAUSE_NVME_CLUSTER',
      'CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER',
    ],
  ),
  pitEnabled: field(
    settings.pitEnabled,
    'acts',
    'Whether the oplog is archived, which allows restores to any point in time within the restore window. Requires providerBackupEnabled.',
    ['MISSING_ATTRIBUTE', 'INVALID_CLUSTER_CONFIGURATION'],
  ),
  providerBackupEnabled: field(
    settings.providerBackupEnabled,
    'acts',
    'Whether snapshots can be taken; required for local disks.',
    ['INVALID_TENANT_BACKUP_ENABLED', 'NVME_STORAGE_PROVIDER_BACKUP_REQUIRED'],
  ),
  providerSettings: field(
    optional(ProviderSettings),
    'acts',
    'Provider, region and size of the nodes. Volume settings are checked against size and disk, and stored without effect.',
    [
      'INVALID_REGION',
      'INVALID_ATTRIBUTE',
      'NO_COMMON_INSTANCE_FAMILY',
      'CLUSTER_CANNOT_CHANGE_PROVIDER_NAME',
      'CLUSTER_DISK_IOPS_INVALID',
      'INVALID_IOPS_INVALID_RATIO',
      'INVALID_TENANT_CONFIGURATION',
    ],
  ),
  replicaSetScalingStrategy: field(settings.replicaSetScalingStrategy, 'stored', later),
  replicationFactor: field(
    optional(ruled(Type.Integer({ default: 3 }), { enum: electableCounts })),
    'acts',
    'Deprecated: number of electable nodes of a single region.',
    ['CLUSTER_REPLICATION_FACTOR_INVALID'],
  ),
  replicationSpec: field(optional(RegionsConfig), 'acts', 'Deprecated: nodes by region of a single zone.', [
    'DUAL_REPLICATION_SPEC_SPECIFIED',
  ]),
  replicationSpecs: field(
    optional(Type.Array(ReplicationSpec, { maxItems: 50 })),
    'acts',
    'Zones with their shards, and the nodes of each shard by region.',
    [
      'REPLICATION_SPECS_INVALID',
      'INVALID_CLUSTER_CONFIGURATION',
      'DUPLICATE_ZONE_NAME',
      'INVALID_ATTRIBUTE',
      'CROSS_REGION_NETWORK_PERMISSIONS_LIMIT_EXCEEDED',
    ],
  ),
  rootCertType: field(
    settings.rootCertType,
    'stored',
    "Has no effect: members use certificates of the service's own authority.",
  ),
  srvAddress: field(readOnly(Type.String()), 'answered', 'The same as `standardSrv`.'),
  stateName: field(
    readOnly(Choice(clusterStates)),
    'answered',
    'State of the cluster; REPAIRING while nodes are down, with the reason in an event.',
  ),
  tags: field(settings.tags, 'stored', 'Key-value pairs.'),
  terminationProtectionEnabled: field(
    settings.terminationProtectionEnabled,
    'acts',
    'Prevents the deletion of the cluster; only Project Owners can change it.',
    ['CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED'],
  ),
  versionReleaseSystem: field(
    settings.versionReleaseSystem,
    'acts',
    'With CONTINUOUS the cluster is upgraded to each new version; dbMajorVersion must then be absent.',
    ['INVALID_DB_VERSION_CONFIG'],
  ),
};
