import { faults } from '@portolan/foundation/faults';

export const migrationFaults = faults({
  CANNOT_MODIFY_CLUSTER_WITH_RUNNING_LIVE_IMPORT: [
    409,
    'The cluster {0} is the destination of a live migration and cannot be changed until the migration ends.',
  ],
  CANNOT_PERFORM_RESTORE_ON_CLUSTER_WITH_RUNNING_LIVE_IMPORT: [
    400,
    'The cluster {0} is the destination of a live migration. No snapshot can be restored to it until the migration ends.',
  ],
});
