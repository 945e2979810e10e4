import type { Cluster } from './schema.ts';

/**
 * What each field of a cluster does here. `acts`: the deployment follows it. `kept`: it is answered as it was given, and
 * nothing follows it yet. `answered`: callers read it and cannot set it. `absent`: never answered.
 */
export interface Effect {
  readonly effect: 'acts' | 'kept' | 'answered' | 'absent';
  readonly what: string;
  /** Codes with which values are refused. */
  readonly codes?: readonly string[];
}

const later = 'Has no effect yet.';

export const clusterEffects: Readonly<Record<Exclude<keyof Cluster, 'links'>, Effect>> = {
  acceptDataRisksAndForceReplicaSetReconfig: {
    effect: 'kept',
    what: `For updates alone. ${later}`,
    codes: ['INVALID_ATTRIBUTE'],
  },
  advancedConfiguration: {
    effect: 'acts',
    what: 'The oldest version of TLS that nodes speak; ciphers are kept.',
  },
  autoScaling: {
    effect: 'kept',
    what: `Checked against the size. ${later}`,
    codes: [
      'COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED',
      'COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID',
    ],
  },
  backupEnabled: {
    effect: 'kept',
    what: 'The former kind of backups, which new clusters cannot have.',
    codes: ['CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS', 'PLATFORM_BACKUP_CONFLICTING_OPTIONS'],
  },
  biConnector: {
    effect: 'kept',
    what: `Reads from analytics nodes where there are any and nothing else was said. ${later}`,
    codes: ['INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY', 'INVALID_TENANT_CONFIGURATION'],
  },
  clusterType: {
    effect: 'acts',
    what: 'One replica set, or several behind routers; a replica set may become sharded.',
    codes: [
      'SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET',
      'CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE',
      'SHARDING_NOT_SUPPORTED',
    ],
  },
  configServerManagementMode: {
    effect: 'kept',
    what: 'For sharded types alone; the first shard keeps what the cluster knows of itself.',
    codes: ['INVALID_ATTRIBUTE'],
  },
  configServerType: {
    effect: 'answered',
    what: 'EMBEDDED from version 8.0 on, unless a replica set has become sharded; sharded types alone.',
  },
  connectionStrings: { effect: 'answered', what: 'How drivers reach the nodes, or the routers.' },
  createDate: { effect: 'answered', what: 'When it was made.' },
  dbEmployeeAccessGrant: { effect: 'answered', what: 'What was granted to staff, and until when.' },
  dbMajorVersion: {
    effect: 'acts',
    what: 'What the nodes announce; raised by one major version at a time.',
    codes: [
      'DB_VERSION_INVALID',
      'PLATFORM_CLUSTER_VERSION_DEPRECATED',
      'CLUSTER_UPGRADE_INVALID',
      'INVALID_DB_VERSION_CONFIG',
      'CLUSTER_VERSION_INCOMPATIBLE_WITH_EXISTING_CUSTOM_ROLES',
    ],
  },
  dbURI: { effect: 'answered', what: 'The nodes, or the routers; absent until they first stand.' },
  dbURIUpdated: { effect: 'answered', what: 'When the list of nodes last changed.' },
  dbURIWithOptions: { effect: 'answered', what: 'The standard connection string.' },
  dbVersion: { effect: 'answered', what: 'The patch of the major version.' },
  diskSizeGB: {
    effect: 'kept',
    what: `Whole gigabytes, within the bounds of the size, no less than what is stored. A limit on that comes later.`,
    codes: [
      'CLUSTER_DISK_SIZE_INVALID',
      'CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER',
      'DISK_SIZE_GB_TOO_SMALL',
      'CANNOT_DECREASE_DISK_SIZE',
    ],
  },
  diskWarmingMode: { effect: 'kept', what: later },
  encryptionAtRestProvider: {
    effect: 'kept',
    what: 'NONE, as long as no project has keys of its own.',
    codes: ['ENCRYPTION_AT_REST_NOT_ENABLED', 'CANNOT_USE_ENCRYPTION_AT_REST_TENANT'],
  },
  featureCompatibilityVersion: { effect: 'answered', what: 'The major version, or the one that is pinned.' },
  featureCompatibilityVersionExpirationDate: { effect: 'answered', what: 'When a pin ends by itself.' },
  globalClusterSelfManagedSharding: {
    effect: 'kept',
    what: 'For clusters of the type GEOSHARDED, at their creation.',
    codes: [
      'CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER',
      'CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING',
    ],
  },
  groupId: { effect: 'answered', what: 'Its project.' },
  id: { effect: 'answered', what: 'Its id.' },
  labels: { effect: 'kept', what: 'Pairs of texts.' },
  name: {
    effect: 'acts',
    what: 'Part of its path and of host names; never changes.',
    codes: ['CLUSTER_CANNOT_CHANGE_NAME', 'DUPLICATE_CLUSTER_NAME', 'CLUSTER_NAME_INVALID'],
  },
  numShards: { effect: 'acts', what: 'Shards of the only zone.', codes: ['CLUSTER_NUM_SHARDS_INVALID'] },
  paused: {
    effect: 'acts',
    what: 'Nodes close their ports and give memory and files back; the data stay. Ends by itself after 30 days; a free cluster pauses after 30 days without a connection.',
    codes: [
      'CANNOT_CREATE_PAUSED_CLUSTER',
      'CANNOT_UPDATE_AND_PAUSE_CLUSTER',
      'CANNOT_UPDATE_PAUSED_CLUSTER',
      'CLUSTER_ALREADY_PAUSED',
      'CANNOT_PAUSE_NVME_CLUSTER',
      'CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER',
    ],
  },
  pitEnabled: { effect: 'kept', what: `Needs providerBackupEnabled. ${later}`, codes: ['MISSING_ATTRIBUTE'] },
  providerBackupEnabled: {
    effect: 'kept',
    what: `Required for local disks. ${later}`,
    codes: ['INVALID_TENANT_BACKUP_ENABLED', 'NVME_STORAGE_PROVIDER_BACKUP_REQUIRED'],
  },
  providerSettings: {
    effect: 'acts',
    what: 'Provider, region and size of the nodes; volumes are checked against size and disk, and kept.',
    codes: [
      'INVALID_REGION',
      'NO_COMMON_INSTANCE_FAMILY',
      'CLUSTER_CANNOT_CHANGE_PROVIDER_NAME',
      'CLUSTER_DISK_IOPS_INVALID',
      'INVALID_IOPS_INVALID_RATIO',
      'INVALID_TENANT_CONFIGURATION',
    ],
  },
  replicaSetScalingStrategy: { effect: 'kept', what: later },
  replicationFactor: {
    effect: 'acts',
    what: 'Deprecated: electable nodes of the only region.',
    codes: ['CLUSTER_REPLICATION_FACTOR_INVALID'],
  },
  replicationSpec: {
    effect: 'acts',
    what: 'Deprecated: nodes by region of the only zone.',
    codes: ['DUAL_REPLICATION_SPEC_SPECIFIED'],
  },
  replicationSpecs: {
    effect: 'acts',
    what: 'Zones, their shards, and the nodes of each shard by region.',
    codes: [
      'REPLICATION_SPECS_INVALID',
      'INVALID_CLUSTER_CONFIGURATION',
      'DUPLICATE_ZONE_NAME',
      'INVALID_ATTRIBUTE',
      'CROSS_REGION_NETWORK_PERMISSIONS_LIMIT_EXCEEDED',
    ],
  },
  rootCertType: { effect: 'kept', what: 'Members present certificates of the own authority.' },
  srvAddress: { effect: 'absent', what: 'Needs a domain whose records this service would keep.' },
  stateName: {
    effect: 'answered',
    what: 'What it is doing; REPAIRING while nodes that should run do not, which an event tells with its reason.',
  },
  tags: { effect: 'kept', what: 'Pairs of texts.' },
  terminationProtectionEnabled: {
    effect: 'acts',
    what: 'The cluster is not deleted while it is on.',
    codes: ['CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED'],
  },
  versionReleaseSystem: {
    effect: 'kept',
    what: 'With CONTINUOUS the version is left out.',
    codes: ['INVALID_DB_VERSION_CONFIG'],
  },
};

type ConnectionStrings = NonNullable<Cluster['connectionStrings']>;

export const connectionEffects: Readonly<Record<keyof ConnectionStrings, Effect>> = {
  awsPrivateLink: { effect: 'absent', what: 'There are no private endpoints.' },
  awsPrivateLinkSrv: { effect: 'answered', what: 'Empty, while a sharded cluster is being made.' },
  private: { effect: 'absent', what: 'There is no network peering.' },
  privateEndpoint: { effect: 'answered', what: 'Empty, while a sharded cluster is being made.' },
  privateSrv: { effect: 'absent', what: 'There is no network peering.' },
  standard: { effect: 'answered', what: 'Every node of a replica set, or every router.' },
  standardSrv: { effect: 'absent', what: 'Needs a domain whose records this service would keep.' },
};
