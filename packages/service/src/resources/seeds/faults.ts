import { faults } from '@portolan/foundation/faults';

export const seedFaults = faults({
  SEED_INVALID: [400, 'The seed is invalid: {0}.'],
  SEED_CANNOT_BE_APPLIED: [409, 'Another seed is being applied, or the service is starting.'],
});
