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
const later = 'The value is stored, but has no effect.';

const DbEmployeeAccessGrant = Type.Object({
  expirationTime: DateTime(),
  grantType: Type.String({
    description:
      'Data that employees of the operator may access: `CLUSTER_DATABASE_LOGS`, `CLUSTER_INFRASTRUCTURE` or `CLUSTER_INFRASTRUCTURE_AND_APP_SERVICES_SYNC_DATA`.',
  }),
});

/**
 * The fields of a cluster in the contract's shape (docs/contract/api.md 2.15). The generated `docs/cluster-fields.md`
 * lists them.
 */
export const clusterFields = {
  acceptDataRisksAndForceReplicaSetReconfig: field(
    settings.acceptDataRisksAndForceReplicaSetReconfig,
    'acts',
    "Date on which the caller accepts that data can be lost. If it is today's date, the service may reconfigure a replica set that has no majority. Allowed only in updates.",
    ['INVALID_ATTRIBUTE'],
  ),
  advancedConfiguration: field(
    settings.advancedConfiguration,
    'acts',
    'TLS settings of the nodes. Cipher suites have an effect only on Kubernetes.',
    ['INVALID_ATTRIBUTE', 'INVALID_ENUM_VALUE', 'INVALID_TENANT_CONFIGURATION'],
  ),
  autoScaling: field(
    settings.autoScaling,
    'acts',
    'Settings of autoscaling: whether the service enlarges the disk when it is nearly full, and adapts the instance size to the load.',
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
    'Whether the cluster has legacy backups, which new clusters do not support.',
    ['CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS', 'PLATFORM_BACKUP_CONFLICTING_OPTIONS'],
  ),
  biConnector: field(
    settings.biConnector,
    'stored',
    `Settings of the BI connector. They are stored, but have no effect.`,
    ['INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY', 'INVALID_TENANT_CONFIGURATION'],
  ),
  clusterType: field(
    optional(Choice(['REPLICASET', 'SHARDED', 'GEOSHARDED'], { default: 'REPLICASET' })),
    'acts',
    'REPLICASET: one replica set. SHARDED: a cluster of shards and routers. GEOSHARDED: a sharded cluster with several zones. A replica set can become a sharded cluster.',
    [
      'SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET',
      'CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE',
      'SHARDING_NOT_SUPPORTED',
    ],
  ),
  configServerManagementMode: field(
    settings.configServerManagementMode,
    'acts',
    'Kind of config servers that the caller wants. FIXED_TO_DEDICATED (dedicated config servers) is allowed only for sharded clusters. The value determines which config servers the API reports, and to which clusters snapshots can be restored. It starts no servers: on the embedded engine, the first shard always stores the metadata of the cluster.',
    ['INVALID_ATTRIBUTE'],
  ),
  configServerType: field(
    readOnly(Choice(['DEDICATED', 'EMBEDDED'])),
    'answered',
    'Kind of the config servers that the API reports; only for sharded clusters. DEDICATED if the database version is older than 8.0, if configServerManagementMode is FIXED_TO_DEDICATED, or if the cluster was once a replica set; otherwise EMBEDDED.',
  ),
  connectionStrings: field(readOnly(ConnectionStrings), 'answered', 'Connection strings for drivers.'),
  createDate: field(readOnly(DateTime()), 'answered', 'Creation time of the cluster.'),
  dbEmployeeAccessGrant: field(
    readOnly(DbEmployeeAccessGrant),
    'answered',
    'Access of employees of the operator to the cluster, with its expiry time. Absent if they have no access.',
  ),
  dbMajorVersion: field(
    optional(Type.String()),
    'acts',
    'Major version of the database, as the nodes report it. An update can raise it by at most one major version.',
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
    'Connection string with the addresses of the nodes or routers, without options. Absent until the cluster is IDLE for the first time.',
  ),
  dbURIUpdated: field(readOnly(DateTime()), 'answered', 'Time at which the list of nodes last changed.'),
  dbURIWithOptions: field(
    readOnly(Type.String()),
    'answered',
    'Connection string with the addresses of the nodes or routers, and options.',
  ),
  dbVersion: field(
    readOnly(Type.String({ pattern: '^\\d+\\.\\d+\\.\\d+$' })),
    'answered',
    'Database version with major, minor and patch number.',
  ),
  diskSizeGB: field(
    optional(Type.Number()),
    'acts',
    'Disk size of each node in whole gigabytes. It limits the stored data. The allowed range depends on the instance size.',
    [
      'CLUSTER_DISK_SIZE_INVALID',
      'CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER',
      'DISK_SIZE_GB_TOO_SMALL',
      'CANNOT_DECREASE_DISK_SIZE',
    ],
  ),
  diskWarmingMode: field(
    settings.diskWarmingMode,
    'stored',
    `When new nodes begin to serve reads: after their disks are warm (FULLY_WARMED), or earlier (VISIBLE_EARLIER). ${later}`,
  ),
  encryptionAtRestProvider: field(
    settings.encryptionAtRestProvider,
    'acts',
    'Provider of the master key. The master key encrypts the data key of the cluster. The data key encrypts the files, logs and snapshots of the cluster.',
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
    'Database version whose features the cluster may use: the pinned major version, the version that the servers of an adopted deployment report, or the major version of the nodes.',
  ),
  featureCompatibilityVersionExpirationDate: field(
    readOnly(DateTime()),
    'answered',
    'Time at which the pin of the feature compatibility version expires.',
  ),
  globalClusterSelfManagedSharding: field(
    settings.globalClusterSelfManagedSharding,
    'acts',
    'Whether the caller manages the sharding of a GEOSHARDED cluster. Cannot be changed after the cluster is created.',
    [
      'CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER',
      'CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING',
    ],
  ),
  groupId: field(readOnly(Id()), 'answered', 'Id of the project.'),
  id: field(readOnly(Id()), 'answered', 'Id of the cluster.'),
  labels: field(
    settings.labels,
    'stored',
    'Key-value pairs that describe the cluster. New programs use tags.',
  ),
  links: field(Links, 'answered', 'Links to related resources.'),
  name: field(
    optional(ruled(Type.String(), { pattern: NAME_PATTERN, maxLength: MAX_NAME })),
    'acts',
    'Name of the cluster, which occurs in paths and host names. It cannot be changed.',
    ['CLUSTER_CANNOT_CHANGE_NAME', 'DUPLICATE_CLUSTER_NAME', 'CLUSTER_NAME_INVALID'],
  ),
  numShards: field(
    optional(ruled(Type.Integer({ default: 1 }), { minimum: 1 })),
    'acts',
    'Number of shards. If the cluster has replicationSpecs, responses contain the total of all zones.',
    ['CLUSTER_NUM_SHARDS_INVALID', 'INVALID_CLUSTER_CONFIGURATION'],
  ),
  paused: field(
    flag(),
    'acts',
    'Whether the nodes are stopped. The data is kept, and the cluster resumes automatically after 30 days. The service pauses a free cluster after 30 days without connections.',
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
    'Whether the cluster has continuous backup, so that it can be restored to any second of the restore window. Requires providerBackupEnabled.',
    ['MISSING_ATTRIBUTE', 'INVALID_CLUSTER_CONFIGURATION'],
  ),
  providerBackupEnabled: field(
    settings.providerBackupEnabled,
    'acts',
    'Whether the cluster has cloud backup (snapshots). Required for clusters with local disks.',
    ['INVALID_TENANT_BACKUP_ENABLED', 'NVME_STORAGE_PROVIDER_BACKUP_REQUIRED'],
  ),
  providerSettings: field(
    optional(ProviderSettings),
    'acts',
    'Provider, region and size of the nodes. Volume settings must be valid for the instance size and the disk size, but have no effect.',
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
  replicaSetScalingStrategy: field(
    settings.replicaSetScalingStrategy,
    'stored',
    `Order in which the nodes of a replica set change their size. ${later}`,
  ),
  replicationFactor: field(
    optional(ruled(Type.Integer({ default: 3 }), { enum: electableCounts })),
    'acts',
    'Deprecated; use replicationSpecs. Number of electable nodes of a cluster in one region.',
    ['CLUSTER_REPLICATION_FACTOR_INVALID'],
  ),
  replicationSpec: field(
    optional(RegionsConfig),
    'acts',
    'Deprecated; use replicationSpecs. Number and priority of the nodes in each region.',
    ['DUAL_REPLICATION_SPEC_SPECIFIED'],
  ),
  replicationSpecs: field(
    optional(Type.Array(ReplicationSpec, { maxItems: 50 })),
    'acts',
    'Zones of the cluster, with the number of shards in each zone and the number of nodes per shard and region.',
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
    "Certificate authority of the nodes. The value is stored, but has no effect, since the service's own certificate authority signs the certificates of the nodes.",
  ),
  srvAddress: field(
    readOnly(Type.String()),
    'answered',
    'SRV connection string, as in `connectionStrings.standardSrv`.',
  ),
  stateName: field(
    readOnly(Choice(clusterStates)),
    'answered',
    'State of the cluster. REPAIRING means that nodes are down; an event of the project contains the reason.',
  ),
  tags: field(settings.tags, 'stored', 'Key-value pairs that describe the cluster.'),
  terminationProtectionEnabled: field(
    settings.terminationProtectionEnabled,
    'acts',
    'Whether the cluster is protected from deletion. Only project owners can change this field.',
    ['CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED'],
  ),
  versionReleaseSystem: field(
    settings.versionReleaseSystem,
    'acts',
    'CONTINUOUS: the service upgrades the cluster to each new database version, and dbMajorVersion must be absent. LTS: the cluster keeps its major version until an update raises it.',
    ['INVALID_DB_VERSION_CONFIG'],
  ),
};
