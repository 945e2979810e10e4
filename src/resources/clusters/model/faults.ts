import { faults } from '../../../runtime/faults.ts';

/** Codes that clusters answer (status 400 unless another is given). */
export const clusterFaults = faults({
  CLUSTER_NOT_FOUND: [404, 'No cluster named {0} exists in group {1}.'],
  SERVERLESS_INSTANCE_NOT_FOUND: [404, 'No serverless instance named {0} exists in group {1}.'],
  INSUFFICIENT_INSTANCE_SIZE: [
    400,
    'The cluster {1} is too small for this: it takes a size of {0} at least.',
  ],
  DUPLICATE_CLUSTER_NAME: [409, 'A {0} named {1} is already present in group {2}.'],
  DUPLICATE_CLUSTER_NAME_PREFIX: [
    400,
    'The first {1} characters of the name {0} are those of another cluster in the project.',
  ],
  CLUSTER_NAME_INVALID: [
    400,
    'The cluster name {0} may hold letters, digits and hyphens and begins with none.',
  ],
  CLUSTER_NAME_TOO_LONG: [400, 'The cluster name {0} is longer than {1} characters.'],
  CLUSTER_NAME_PREFIX_INVALID: [
    400,
    'The cluster name {0} has a hyphen where its first {1} characters end: {2}.',
  ],
  PLATFORM_RESERVED_CLUSTER_NAME: [400, 'The cluster name {0} is reserved.'],
  CLUSTER_CANNOT_CHANGE_NAME: [400, 'The name of a cluster cannot be changed.'],
  CLUSTER_CANNOT_CHANGE_PROVIDER_NAME: [
    400,
    'The cloud provider of a cluster cannot be changed in this version.',
  ],
  CLUSTER_ALREADY_REQUESTED_DELETION: [400, 'The cluster {0} is being deleted already.'],
  CLUSTER_UPDATE_IN_PROGRESS: [409, 'The cluster {0} is being created; it can be updated once it is IDLE.'],
  CANNOT_CREATE_PAUSED_CLUSTER: [400, 'The cluster {0} cannot be created in paused state.'],
  CLUSTER_ALREADY_PAUSED: [409, 'The cluster {0} is paused already.'],
  CANNOT_UPDATE_PAUSED_CLUSTER: [409, 'The cluster {0} is paused and cannot be updated.'],
  CANNOT_UPDATE_AND_PAUSE_CLUSTER: [409, 'The cluster {0} cannot be updated and paused in one request.'],
  CANNOT_PAUSE_RECENTLY_RESUMED_CLUSTER: [
    400,
    'The cluster was resumed less than {0} minutes ago and cannot be paused yet.',
  ],
  CANNOT_PAUSE_NVME_CLUSTER: [409, 'A cluster on local disks cannot be paused.'],
  TENANT_CLUSTER_UPDATE_UNSUPPORTED: [400, 'A cluster of a shared size cannot be updated in this way.'],
  CANNOT_TERMINATE_CLUSTER_WHEN_TERMINATION_PROTECTION_ENABLED: [
    400,
    'The cluster {0} in group {1} has termination protection enabled.',
  ],
  MULTI_CLOUD_CLUSTER_INVALID: [
    400,
    'The cluster {0} has several providers or sizes, which this version cannot say.',
  ],
  ASYMMETRIC_SHARD_UNSUPPORTED: [
    400,
    'The cluster {0} has shards of several sizes, which this version cannot say.',
  ],
  DISK_SIZE_GB_INCONSISTENT: [400, 'The disk size is the same for all nodes of a cluster.'],
  CANNOT_USE_FLEX_CLUSTER_IN_CLUSTER_API: [400, '{0} is a flex cluster; use the operations of those.'],
  CANNOT_USE_NON_FLEX_CLUSTER_IN_FLEX_API: [400, '{0} is no flex cluster.'],
  CANNOT_USE_SERVERLESS_INSTANCE_IN_CLUSTER_API: [
    400,
    '{0} is a serverless instance; use the operations of those.',
  ],
  CANNOT_USE_CLUSTER_IN_SERVERLESS_INSTANCE_API: [400, '{0} is no serverless instance.'],
  CLUSTER_ALREADY_DEDICATED: [400, 'The cluster {0} is dedicated already.'],
  CLUSTERS_LIMIT_EXCEEDED: [403, 'The project holds {0} clusters, which is its limit.'],
  DUAL_REPLICATION_SPEC_SPECIFIED: [400, 'Give either replicationSpec or replicationSpecs.'],
  REPLICATION_SPECS_INVALID: [400, 'The replication specs are not valid: {0}.'],
  INVALID_CLUSTER_CONFIGURATION: [400, 'The cluster configuration is not valid: {0}.'],
  CLUSTER_REPLICATION_FACTOR_INVALID: [
    400,
    'The replication factor must be 3, 5 or 7, with 50 members at most.',
  ],
  SHARDING_NOT_SUPPORTED: [400, 'The size {0} is too small for the cluster type {1}.'],
  SHARDED_CLUSTER_CANT_BECOME_REPLICA_SET: [400, 'A sharded cluster cannot become a replica set.'],
  CANNOT_CHANGE_GEOSHARDED_CLUSTER_TYPE: [
    400,
    'The type of a cluster cannot be changed from GEOSHARDED, nor to it.',
  ],
  CLUSTER_UPGRADE_INVALID: [400, 'A cluster of version {0} cannot be brought to version {1}.'],
  CLUSTER_NUM_SHARDS_INVALID: [400, 'The number of shards must be from 1 to {0}.'],
  DUPLICATE_ZONE_NAME: [400, 'Each zone of a cluster needs a name of its own.'],
  INVALID_REGION: [400, 'The region {0} does not exist for the provider {1}.'],
  NO_COMMON_INSTANCE_FAMILY: [400, 'The size {0} is not offered in the region {1}.'],
  INVALID_TENANT_CONFIGURATION: [400, 'The configuration is not valid for a shared size: {0}.'],
  CLUSTER_DISK_SIZE_INVALID: [400, 'The disk size is not valid: {0}.'],
  CLUSTER_DISK_SIZE_NOT_WHOLE_NUMBER: [400, 'The disk size {0} is not a whole number of gigabytes.'],
  PLATFORM_CLUSTER_VERSION_DEPRECATED: [400, 'The database version {0} is not offered any more.'],
  DB_VERSION_INVALID: [400, 'The database version {0} is not available.'],
  INVALID_DB_VERSION_CONFIG: [400, 'The database version cannot be set like this: {0}.'],
  CONTINUOUS_BACKUP_NOT_SUPPORTED_ON_NEW_CLUSTERS: [
    400,
    'Give providerBackupEnabled in place of backupEnabled.',
  ],
  PLATFORM_BACKUP_CONFLICTING_OPTIONS: [409, 'Give either backupEnabled or providerBackupEnabled.'],
});
