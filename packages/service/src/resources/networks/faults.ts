import { faults } from '@portolan/foundation/faults';

export const networkFaults = faults({
  CANNOT_UPDATE_PRIVATE_IP_MODE: [
    400,
    'The project {0} has dedicated clusters, so private IP mode cannot be enabled.',
  ],
  CLOUD_PROVIDER_CONTAINER_NOT_FOUND: [404, 'The project has no virtual network with the id {0}.'],
});
