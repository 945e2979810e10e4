import { faults } from '@portolan/foundation/faults';

export const endpointFaults = faults({
  CANNOT_DELETE_PRIVATELINK_WITH_ENDPOINTS: [
    409,
    'The endpoint service has endpoints, which must be deleted first.',
  ],
  CROSS_REGION_PRIVATE_LINK_SELF_REGION: [
    400,
    'The additional regions must not contain {0}, the region of the endpoint service.',
  ],
  PRIVATE_ENDPOINTS_LIMIT_EXCEEDED: [400, 'A project can have at most {0} {1} at a cloud provider.'],
  PRIVATE_ENDPOINT_NOT_FOUND: [404, 'The endpoint service has no endpoint with the id {0}.'],
  PRIVATE_ENDPOINT_SERVICE_ALREADY_EXISTS_FOR_REGION: [
    409,
    'The project already has an endpoint service in the region {0}, and does not allow several in one region.',
  ],
  PRIVATE_ENDPOINT_SERVICE_NOT_FOUND: [404, 'The project has no endpoint service with the id {0}.'],
  PROVIDER_UNSUPPORTED: [400, 'Endpoint services at {0} have no additional regions.'],
  PRIVATELINK_INTERFACE_ENDPOINT_ALREADY_EXISTS: [409, 'The endpoint service already has the endpoint {0}.'],
});
