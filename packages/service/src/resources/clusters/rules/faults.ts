import { faults } from '@portolan/foundation/faults';

/** Error codes for invalid combinations of cluster fields, in every body shape. */
export const specFaults = faults({
  PROCESS_ARGUMENT_NOT_ACCEPTED: [
    400,
    'The running servers of the cluster {1} have no process argument {0} that the service may change.',
  ],
  CLUSTER_DISK_IOPS_INVALID: [
    400,
    'The size {2} supports only {0} IOPS for a volume of the type {3} with {1} GB.',
  ],
  INVALID_IOPS_INVALID_RATIO: [400, 'A volume supports at most {0} IOPS per gigabyte.'],
  NVME_STORAGE_PROVIDER_BACKUP_REQUIRED: [400, 'A cluster with local disks requires cloud backups.'],
  ENCRYPTION_AT_REST_NOT_ENABLED: [400, 'Encryption at rest is not enabled for the project {0}.'],
  INVALID_ENCRYPTION_AT_REST_PROVIDER: [
    400,
    'Encryption at rest with a key of {0} is not enabled for the project.',
  ],
  CANNOT_CHANGE_ENCRYPTION_AT_REST_PROVIDER: [
    409,
    'The cluster is encrypted with a key of {0}; set encryptionAtRestProvider to NONE first.',
  ],
  CANNOT_USE_ENCRYPTION_AT_REST_TENANT: [400, 'A shared-tier cluster does not support encryption at rest.'],
  INVALID_TENANT_BACKUP_ENABLED: [400, 'The backups of a shared-tier cluster cannot be configured.'],
  INVALID_BI_CONNECTOR_READ_PREFERENCE_FOR_TOPOLOGY: [
    400,
    'The BI connector cannot read from analytics nodes, since the cluster has none.',
  ],
  AWS_TIME_BASED_SNAPSHOT_COPY_REQUIRES_AWS_NODES: [
    400,
    'Only clusters whose nodes are all at AWS can copy snapshots for a fast initial sync.',
  ],
  CANNOT_SET_SELF_MANAGED_SHARDING_FOR_NON_GLOBAL_CLUSTER: [
    400,
    'globalClusterSelfManagedSharding is allowed only for clusters of the type GEOSHARDED.',
  ],
  CANNOT_MODIFY_GLOBAL_CLUSTER_MANAGEMENT_SETTING: [
    400,
    'globalClusterSelfManagedSharding cannot be changed after the cluster is created.',
  ],
  CANNOT_CREATE_FREE_CLUSTER_VIA_PUBLIC_API: [400, 'The project {0} already has a cluster of the size M0.'],
  CROSS_REGION_NETWORK_PERMISSIONS_LIMIT_EXCEEDED: [
    403,
    'For each region, the multi-region clusters of a project may together have at most {0} nodes in all other regions.',
  ],
  CLUSTER_VERSION_INCOMPATIBLE_WITH_EXISTING_CUSTOM_ROLES: [
    409,
    'A custom role of the project contains an action that version {0} does not support.',
  ],
});

export const autoScalingFaults = faults({
  AUTO_SCALING_NOT_SUPPORTED: [400, 'Autoscaling is not supported: {0}.'],
  COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_REQUIRED: [400, 'Compute autoscaling requires a maximum size.'],
  COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_REQUIRED: [400, 'Scaling down requires a minimum size.'],
  COMPUTE_AUTO_SCALING_MAX_INSTANCE_SIZE_INVALID: [
    400,
    'The maximum size {1} is invalid: it and {0} must both be M sizes or both be R sizes, and compute autoscaling must be enabled.',
  ],
  COMPUTE_AUTO_SCALING_MIN_INSTANCE_SIZE_INVALID: [
    400,
    'The minimum size {1} is invalid: it and {0} must both be M sizes or both be R sizes, and compute autoscaling must be enabled.',
  ],
  COMPUTE_AUTO_SCALING_INSTANCE_SIZE_RANGE_INVALID: [
    400,
    'The size of the cluster must be between {0} and {1}, the limits of autoscaling.',
  ],
  COMPUTE_AUTO_SCALING_SCALE_DOWN_ENABLED_INVALID: [400, 'Scaling down requires compute autoscaling.'],
});

export const diskFaults = faults({
  DISK_SIZE_GB_TOO_SMALL: [400, 'The disk is too small for the data that the cluster stores.'],
  CANNOT_DECREASE_DISK_SIZE: [
    500,
    'The service cannot currently determine whether the data fits on a smaller disk; retry later.',
  ],
});

export const engineRegionFaults = faults({
  REGION_OF_OTHER_ENGINE: [
    400,
    'The cluster {0} cannot have nodes in {1}: in this region, the engine {2} runs clusters, but the engine of the cluster is {3}.',
  ],
});
