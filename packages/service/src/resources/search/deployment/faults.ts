import { faults } from '@portolan/foundation/faults';

export const deploymentFaults = faults({
  PLATFORM_FTS_DEPLOYMENT_ALREADY_EXISTS: [409, 'The cluster {0} already has search nodes.'],
  PLATFORM_FTS_DEPLOYMENT_DOES_NOT_EXIST: [400, 'The cluster {0} has no search nodes.'],
});
