import { faults } from '@portolan/foundation/faults';
import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { type EndpointRow, endpointsOf, type ServiceRow, servicesOf } from './rows.ts';
import type { NewEndpoint } from './schema.ts';

export const endpointFaults = faults({
  CANNOT_DELETE_PRIVATELINK_WITH_ENDPOINTS: [
    409,
    'The endpoint service has endpoints, which must be deleted first.',
  ],
  PRIVATE_ENDPOINT_NOT_FOUND: [404, 'The endpoint service has no endpoint with the id {0}.'],
  PRIVATE_ENDPOINT_SERVICE_ALREADY_EXISTS_FOR_REGION: [
    409,
    'The project already has an endpoint service in the region {0}, and does not allow several in one region.',
  ],
  PRIVATE_ENDPOINT_SERVICE_NOT_FOUND: [404, 'The project has no endpoint service with the id {0}.'],
  PRIVATELINK_INTERFACE_ENDPOINT_ALREADY_EXISTS: [409, 'The endpoint service already has the endpoint {0}.'],
});

interface ServicePath {
  readonly groupId: string;
  readonly cloudProvider: string;
  readonly endpointServiceId: string;
}

export async function requireService(tx: ReadTx, at: ServicePath): Promise<ServiceRow> {
  const services = await servicesOf(tx, at.groupId, at.cloudProvider);
  const row = services.find(({ id }) => id === at.endpointServiceId);
  if (!row) throw endpointFaults.PRIVATE_ENDPOINT_SERVICE_NOT_FOUND(at.endpointServiceId);
  return row;
}

export async function requireEndpoint(
  tx: ReadTx,
  service: ServiceRow,
  endpointId: string,
): Promise<EndpointRow> {
  const row = (await endpointsOf(tx, service.id)).find(({ name }) => name === endpointId);
  if (!row) throw endpointFaults.PRIVATE_ENDPOINT_NOT_FOUND(endpointId);
  return row;
}

/** Returns the name of a new endpoint, from the fields that its provider requires. */
export function nameOf(service: ServiceRow, body: NewEndpoint): string {
  const required = {
    AWS: ['id'],
    AZURE: ['id', 'privateEndpointIPAddress'],
    GCP: ['endpointGroupName', 'gcpProjectId', 'endpoints'],
  } as const;
  for (const field of required[service.provider])
    if (body[field] === undefined) throw generalFaults.MISSING_ATTRIBUTE(field).at(field);
  return body.id ?? body.endpointGroupName ?? '';
}
