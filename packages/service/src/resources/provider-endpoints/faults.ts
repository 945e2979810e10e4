import { faults } from '@portolan/foundation/faults';

export const providerEndpointFaults = faults({
  PROVIDER_ENDPOINT_NOT_FOUND: [404, 'The project has no private endpoint with the id {0} at {1}.'],
  PROVIDER_ENDPOINT_EXISTS: [409, 'The project already has a private endpoint in the region {0}.'],
});
