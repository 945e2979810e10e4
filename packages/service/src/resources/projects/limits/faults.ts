import { faults } from '@portolan/foundation/faults';

export const limitFaults = faults({
  PROJECT_LIMIT_NOT_FOUND: [404, 'No limit has the name {0}.'],
  PROJECT_LIMIT_OUT_OF_RANGE: [400, 'The limit {0} must be between 1 and {1}.'],
});
