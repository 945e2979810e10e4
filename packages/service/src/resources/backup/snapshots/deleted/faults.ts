import { faults } from '@portolan/foundation/faults';

export const deletedSnapshotFaults = faults({
  CANNOT_START_RESTORE_JOB_FOR_DELETED_SNAPSHOT: [409, 'The snapshot was deleted.'],
  CANNOT_START_RESTORE_JOB_FOR_DELETED_CLUSTER_SNAPSHOT: [
    409,
    'The snapshot of the sharded cluster was deleted.',
  ],
});
