import { faults } from '@portolan/foundation/faults';

export const tenantFaults = faults({
  TENANT_SNAPSHOT_NOT_FOUND: [404, 'The cluster {1} has no snapshot with the id {0}.'],
  TENANT_RESTORE_NOT_FOUND: [404, 'The cluster {1} has no restore job with the id {0}.'],
  TENANT_RESTORE_DESTINATION_UNAVAILABLE: [400, 'No snapshot can be restored to the cluster {0} now.'],
  TENANT_RESTORE_DESTINATION_ENCRYPTION: [
    400,
    'The cluster {0} is encrypted with a customer-managed key, but the snapshot is not.',
  ],
  TENANT_RESTORE_INCOMPATIBLE_TOPOLOGY: [400, 'The cluster {0} is sharded, but the snapshot is not.'],
  TENANT_RESTORE_VERSION_MISMATCH: [
    400,
    'The cluster {0} runs an older version than the cluster from which the snapshot was taken.',
  ],
});
