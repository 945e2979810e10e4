import { faults } from '@portolan/foundation/faults';

export const restoreFaults = faults({
  RESTORE_JOB_NOT_FOUND: [404, 'The cluster {1} has no restore job with the id {0}.'],
  CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT: [
    409,
    'An incomplete snapshot cannot be restored.',
  ],
  CANNOT_RESTORE_TO_TARGET: [
    403,
    'The target project does not exist, belongs to another organization, or does not allow the caller to restore backups.',
  ],
  RESTORE_INITIATION_FAILED: [409, 'The restore cannot start: {0}.'],
  CLUSTER_PAUSED_CANNOT_RESTORE: [400, 'A snapshot cannot be restored to a paused cluster.'],
  PLATFORM_CLUSTER_RESTORE_IN_PROGRESS: [409, 'A restore to the cluster {0} is already in progress.'],
  CLUSTER_RESTORE_IN_PROGRESS_CANNOT_UPDATE: [
    400,
    'The cluster {0} cannot be changed while a restore to it is in progress.',
  ],
  CANNOT_CANCEL_AUTOMATED_RESTORE: [400, 'Only a download that has not ended can be cancelled.'],
  AUTOMATED_RESTORE_OF_SHARD_NOT_ALLOWED: [
    400,
    'A snapshot of one shard cannot be restored to a cluster; restore the snapshot of the whole cluster.',
  ],
  INVALID_SNAPSHOT_RESTORE_ENCRYPTION: [
    400,
    'The snapshot and the cluster {0} must be encrypted with keys of the same provider, and the project of the cluster must have access to the key.',
  ],
  UNSUPPORTED_DELIVERY_METHOD: [400, 'The delivery type {0} is not supported.'],
});
