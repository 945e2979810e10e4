import type { Actor } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { requireRegion } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { endpointFaults } from './faults.ts';
import {
  deleteService,
  type EndpointRow,
  endpointsOf,
  insertEndpoint,
  insertService,
  regionalMode,
  type ServiceRow,
  servicesOf,
} from './rows.ts';
import { checkEndpoints, checkServices, nameOf, readRemoteRegions } from './rules.ts';
import type { NewEndpoint, NewEndpointService } from './schema.ts';

export async function addService(
  tx: Tx,
  groupId: string,
  body: NewEndpointService,
  actor: Actor,
): Promise<ServiceRow> {
  const { providerName: provider, portMappingEnabled, supportedRemoteRegions } = body;
  const region = requireRegion(provider, body.region);
  const existing = await servicesOf(tx, groupId, provider);
  if (existing.some((other) => other.region === region) && !(await regionalMode(tx, groupId)))
    throw endpointFaults.PRIVATE_ENDPOINT_SERVICE_ALREADY_EXISTS_FOR_REGION(region);
  checkServices(existing);
  const row: ServiceRow = {
    id: tx.id(),
    groupId,
    provider,
    region,
    mapsPorts: portMappingEnabled ?? false,
    remoteRegions: supportedRemoteRegions && readRemoteRegions(supportedRemoteRegions, { provider, region }),
  };
  await insertService(tx, row);
  await recordInProject(tx, groupId, { type: 'ENDPOINT_SERVICE_CREATED', actor });
  return row;
}

export async function removeService(tx: Tx, row: ServiceRow, actor: Actor): Promise<void> {
  if ((await endpointsOf(tx, row.id)).length > 0)
    throw endpointFaults.CANNOT_DELETE_PRIVATELINK_WITH_ENDPOINTS();
  await deleteService(tx, row.id);
  await recordInProject(tx, row.groupId, { type: 'ENDPOINT_SERVICE_DELETED', actor });
}

export async function addEndpoint(tx: Tx, service: ServiceRow, body: NewEndpoint): Promise<EndpointRow> {
  const row: EndpointRow = { serviceId: service.id, name: nameOf(service, body), settings: body };
  if ((await endpointsOf(tx, service.id)).some(({ name }) => name === row.name))
    throw endpointFaults.PRIVATELINK_INTERFACE_ENDPOINT_ALREADY_EXISTS(row.name);
  await checkEndpoints(tx, service);
  await insertEndpoint(tx, row);
  return row;
}
