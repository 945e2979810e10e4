import { faults } from '@portolan/foundation/faults';

export const deploymentFaults = faults({
  DEPLOYMENT_NOT_FOUND: [404, 'No adopted deployment has the id {0}.'],
  DEPLOYMENT_NOT_USABLE: [400, 'The deployment cannot be used: {0}.'],
});
