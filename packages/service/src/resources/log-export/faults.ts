import { faults } from '@portolan/foundation/faults';

export const logExportFaults = faults({
  PUSH_BASED_LOG_EXPORT_NOT_CONFIGURED: [404, 'The project {0} has no log export.'],
  PUSH_BASED_LOG_EXPORT_ALREADY_CONFIGURED: [409, 'The project {0} already has a log export.'],
});
