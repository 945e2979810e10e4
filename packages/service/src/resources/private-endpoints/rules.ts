import { isIP } from 'node:net';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { requireRegion } from '../clusters/index.ts';
import { endpointFaults } from './faults.ts';
import { type EndpointRow, endpointsOf, type ServiceRow, servicesOf } from './rows.ts';
import type { NewEndpoint } from './schema.ts';

/**
 * Maximum number of endpoint services of a project at one provider, and of endpoints in all these services together.
 * It is limited because one response lists all of them.
 */
const MAX_ENDPOINTS = 50;

/** Throws if a project has the maximum number of endpoint services at a provider. */
export function checkServices(services: readonly ServiceRow[]): void {
  if (services.length >= MAX_ENDPOINTS)
    throw endpointFaults.PRIVATE_ENDPOINTS_LIMIT_EXCEEDED(MAX_ENDPOINTS, 'endpoint services');
}

/** Throws if the endpoint services of a project at a provider have the maximum number of endpoints. */
export async function checkEndpoints(tx: ReadTx, { groupId, provider }: ServiceRow): Promise<void> {
  let count = 0;
  for (const { id } of await servicesOf(tx, groupId, provider)) count += (await endpointsOf(tx, id)).length;
  if (count >= MAX_ENDPOINTS)
    throw endpointFaults.PRIVATE_ENDPOINTS_LIMIT_EXCEEDED(MAX_ENDPOINTS, 'private endpoints');
}

/** Reads the additional regions from which clients reach an endpoint service. */
export function readRemoteRegions(
  names: readonly string[],
  { provider, region }: Pick<ServiceRow, 'provider' | 'region'>,
): string[] {
  if (names.length > 0 && provider !== 'AWS') throw endpointFaults.PROVIDER_UNSUPPORTED(provider);
  return names.map((name) => {
    if (requireRegion(provider, name) !== name)
      throw badValue('supportedRemoteRegions', 'must contain names such as US_EAST_1');
    if (name === region) throw endpointFaults.CROSS_REGION_PRIVATE_LINK_SELF_REGION(region);
    return name;
  });
}

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

function checkAddress(address: string | undefined, field: string): void {
  if (address !== undefined && isIP(address) === 0) throw badValue(field, 'is not an IP address');
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
  checkAddress(body.privateEndpointIPAddress, 'privateEndpointIPAddress');
  for (const [place, { ipAddress }] of (body.endpoints ?? []).entries())
    checkAddress(ipAddress, `endpoints.${place}.ipAddress`);
  return body.id ?? body.endpointGroupName ?? '';
}
