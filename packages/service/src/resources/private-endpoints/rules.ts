import { generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { endpointFaults } from './faults.ts';
import { type EndpointRow, endpointsOf, type ServiceRow, servicesOf } from './rows.ts';
import type { NewEndpoint } from './schema.ts';

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
