import { faults } from '@portolan/foundation/faults';

export const monitoringFaults = faults({
  INVALID_GRANULARITY: [400, 'The granularity {0} is not available for this process.'],
  INVALID_PERIOD: [400, 'The period {0} is not an ISO 8601 duration.'],
  INVALID_METRIC_NAME: [404, 'This resource has no metric named {0}.'],
  HOSTNAME_AND_PORT_NOT_FOUND: [404, 'The project {1} has no process {0}.'],
});
