import { faults } from '@portolan/foundation/faults';

export const pointInTimeFaults = faults({
  INVALID_PIT_RESTORE_TIME: [
    400,
    'The cluster {1} cannot be restored to {0}: this time is in the future or before the restore window, or the cluster has no continuous backup.',
  ],
  POINT_IN_TIME_NOT_REACHED_BY_SERVERS: [
    400,
    'The cluster {1} cannot be restored to {0}, because the clocks of its servers have not reached this time. They show about {2}.',
  ],
  UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME: [404, 'Cluster {0} has no snapshot before {1}.'],
  NO_CHECKPOINT_FOR_PIT_RESTORE: [
    409,
    'The cluster {0} cannot be restored to {1}: its archived oplog has a gap between the last snapshot and this time.',
  ],
  OPLOG_IN_USE: [
    409,
    'The cluster {0} is being restored to a point in time, so its continuous backup cannot be disabled now.',
  ],
});
