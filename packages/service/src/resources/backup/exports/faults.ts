import { faults } from '@portolan/foundation/faults';

export const exportFaults = faults({
  // docs/contract/clusters.md 3.6 has no code for this case, so the name follows that of RESTORE_JOB_NOT_FOUND.
  EXPORT_JOB_NOT_FOUND: [404, 'The cluster {1} has no export job with the id {0}.'],
});
