import { faults } from '@portolan/foundation/faults';

export const clusterFaults = faults({
  CLUSTER_NOT_FOUND: [404, 'The project {1} has no cluster named {0}.'],
  SERVERLESS_INSTANCE_NOT_FOUND: [404, 'The project {1} has no serverless instance named {0}.'],
  INSUFFICIENT_INSTANCE_SIZE: [400, 'The operation requires a cluster of at least size {0}.'],
  DUPLICATE_CLUSTER_NAME: [409, 'A {0} named {1} already exists in the project {2}.'],
  DUPLICATE_CLUSTER_NAME_PREFIX: [
    400,
    'The first {1} characters of the name {0} equal those of another cluster in the project.',
  ],
  CLUSTER_NAME_INVALID: [
    400,
    'The cluster name {0} may contain letters, digits and hyphens only, and must not begin with a hyphen.',
  ],
  CLUSTER_NAME_TOO_LONG: [400, 'The cluster name {0} is longer than {1} characters.'],
  CLUSTER_NAME_PREFIX_INVALID: [
    400,
    'The first {1} characters of the cluster name {0} must not end with a hyphen: {2}.',
  ],
  PLATFORM_RESERVED_CLUSTER_NAME: [400, 'The cluster name {0} is reserved.'],
  CLUSTER_CANNOT_CHANGE_NAME: [400, 'The name of a cluster cannot be changed.'],
  CLUSTER_CANNOT_CHANGE_PROVIDER_NAME: [
    400,
    'The cloud provider of a cluster cannot be changed in this version.',
  ],
  CLUSTER_ALREADY_REQUESTED_DELETION: [400, 'The cluster {0} is already being deleted.'],
  CLUSTER_UPDATE_IN_PROGRESS: [409, 'The cluster {0} is in the state {1}; retry when it is IDLE.'],
  CANNOT_CREATE_PAUSED_CLUSTER: [400, 'The cluster {0} cannot be created in paused state.'],
  CLUSTER_ALREADY_PAUSED: [409, 'The cluster {0} is already paused.'],
  CANNOT_UPDATE_PAUSED_CLUSTER: [409, 'The cluster {0} is paused and cannot be updated.'],
  CANNOT_UPDATE_AND_PAUSE_CLUSTER: [409, 'The cluster {0} cannot be updated and paused in one request.'],
  CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER: [
    400,
    'The cluster was resumed less than {0} minutes ago and cannot be paused yet.',
  ],
  CANNOT_PAUSE_NVME_CLUSTER: [409, 'A cluster with local disks cannot be paused.'],
  TENANT_CLUSTER_UPDATE_UNSUPPORTED: [400, 'This update is not supported for a shared-tier cluster.'],
  CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED: [
    400,
    'The cluster {0} in project {1} has termination protection enabled.',
  ],
  MULTI_CLOUD_CLUSTER_INVALID: [
    400,
    'The cluster {0} has several providers or sizes, which this API version cannot represent.',
  ],
  ASYMMETRIC_SHARD_UNSUPPORTED: [
    400,
    'The cluster {0} has shards of different sizes, which this API version cannot represent.',
  ],
  DISK_SIZE_GB_INCONSISTENT: [400, 'The disk size must be the same for all nodes of a cluster.'],
  CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API: [400, '{0} is a flex cluster; use the flex cluster operations.'],
  CANNOT_USE_NON_FLEX_CLUSTER_IN_FLEX_API: [400, '{0} is not a flex cluster.'],
  CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API: [
    400,
    '{0} is a serverless instance; use the serverless instance operations.',
  ],
  CANNOT_USE_CLUSTER_IN_SERVERLESS_INSTANCE_API: [400, '{0} is not a serverless instance.'],
  CLUSTER_ALREADY_DEDICATED: [400, 'The cluster {0} is already dedicated.'],
  CLUSTERS_LIMIT_EXCEEDED: [403, 'The project has reached its limit of {0} clusters.'],
  DUAL_REPLICATION_SPEC_SPECIFIED: [400, 'Specify either replicationSpec or replicationSpecs, not both.'],
  REPLICATION_SPECS_INVALID: [400, 'The replication specs are invalid: {0}.'],
  INVALID_CLUSTER_CONFIGURATION: [400, 'The cluster configuration is invalid: {0}.'],
  CLUSTER_REPLICATION_FACTOR_INVALID: [
    400,
    'The replication factor must be 3, 5 or 7, and a replica set can have at most 50 members.',
  ],
  SHARDING_NOT_SUPPORTED: [400, 'The size {0} is too small for the cluster type {1}.'],
  SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET: [400, 'A sharded cluster cannot become a replica set.'],
  CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE: [400, 'The cluster type cannot be changed from or to GEOSHARDED.'],
  CLUSTER_UPGRADE_INVALID: [400, 'A cluster of version {0} cannot be upgraded to version {1}.'],
  CLUSTER_NUM_SHARDS_INVALID: [400, 'The number of shards must be between 1 and {0}.'],
  DUPLICATE_ZONE_NAME: [400, 'The zones of a cluster must have unique names.'],
  INVALID_REGION: [400, 'The provider {1} has no region {0}.'],
  NO_COMMON_INSTANCE_FAMILY: [400, 'The size {0} is not available in the region {1}.'],
  INVALID_TENANT_CONFIGURATION: [400, 'The configuration is invalid for a shared-tier cluster: {0}.'],
  CLUSTER_DISK_SIZE_INVALID: [400, 'The disk size is invalid: {0}.'],
  CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER: [400, 'The disk size {0} is not a whole number of gigabytes.'],
  PLATFORM_CLUSTER_VERSION_DEPRECATED: [400, 'The database version {0} is no longer available.'],
  DB_VERSION_INVALID: [400, 'The database version {0} is not available.'],
  INVALID_DB_VERSION_CONFIG: [400, 'The database version setting is invalid: {0}.'],
  CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS: [
    400,
    'Specify providerBackupEnabled instead of backupEnabled.',
  ],
  PLATFORM_BACKUP_CONFLICTING_OPTIONS: [
    409,
    'Specify either backupEnabled or providerBackupEnabled, not both.',
  ],
});

export const capabilityFaults = faults({
  NOT_SUPPORTED_BY_ENGINE: [400, 'The engine {0} does not support {1} for the cluster {2}: {3}.'],
});
