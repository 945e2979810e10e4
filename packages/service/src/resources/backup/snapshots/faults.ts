import { faults } from '@portolan/foundation/faults';

export const snapshotFaults = faults({
  BACKUP_CONFIG_NOT_FOUND: [404, 'Cloud backup is not enabled for the cluster {0} in project {1}.'],
  SNAPSHOT_NOT_FOUND: [404, 'The cluster {1} has no snapshot with the id {0}.'],
  UNFINISHED_ON_DEMAND_SNAPSHOT: [400, 'An on-demand snapshot of cluster {0} is still in progress.'],
  SNAPSHOT_IN_USE: [409, 'The snapshot {0} is being {1} and cannot be deleted now.'],
  CANNOT_DELETE_IN_PROGRESS_SNAPSHOT: [400, 'A snapshot in progress cannot be deleted.'],
  CANNOT_MODIFY_IN_PROGRESS_SNAPSHOT_RETENTION: [
    400,
    'The retention of a snapshot in progress cannot be changed.',
  ],
  BACKUP_SNAPSHOT_RETENTION_VALUE_INVALID: [400, 'The retention value must be at least 1.'],
  INCORRECT_BACKUP_API_ENDPOINT: [400, 'The backups of this kind of cluster are available at {0}.'],
  CANNOT_DELETE_FROM_CLUSTER_SNAPSHOT: [403, 'A snapshot of one shard cannot be deleted separately.'],
  CANNOT_MODIFY_CLUSTER_SNAPSHOT: [403, 'A snapshot of one shard cannot be changed separately.'],
  CANNOT_CLOSE_GROUP_ACTIVE_BACKUP: [409, 'The project has retained snapshots, which must be deleted first.'],
});
