import { generalFaults } from '../../api/faults.ts';
import type { ReadTx, Tx } from '../../store/index.ts';
import { requireRegion } from '../clusters/index.ts';
import { providerEndpointFaults } from './faults.ts';
import {
  type EndpointList,
  type EndpointRow,
  endpointsIn,
  insertEndpoint,
  type Provider,
  type Purpose,
} from './rows.ts';

const providersOf: Readonly<Record<Purpose, readonly Provider[]>> = {
  keys: ['AWS', 'AZURE'],
  buckets: ['AWS'],
};

interface ListPath {
  readonly groupId: string;
  readonly cloudProvider: string;
}

/**
 * Returns the list that a path names. Throws INVALID_PATH_PARAMETER if the provider has no endpoints for the purpose.
 */
export function listAt({ groupId, cloudProvider }: ListPath, purpose: Purpose): EndpointList {
  const provider = providersOf[purpose].find((name) => name === cloudProvider);
  if (provider === undefined) throw generalFaults.INVALID_PATH_PARAMETER('cloudProvider');
  return { groupId, purpose, provider };
}

/** Throws PROVIDER_ENDPOINT_NOT_FOUND if the list has no such endpoint. */
export async function requireEndpoint(tx: ReadTx, list: EndpointList, id: string): Promise<EndpointRow> {
  const found = (await endpointsIn(tx, list)).find((row) => row.id === id);
  if (found === undefined) throw providerEndpointFaults.PROVIDER_ENDPOINT_NOT_FOUND(id, list.provider);
  return found;
}

/** Records an endpoint. Throws if the list already has one in this region. */
export async function addEndpoint(
  tx: Tx,
  list: EndpointList,
  body: { readonly regionName: string; readonly vpcRegionName?: string },
): Promise<EndpointRow> {
  const region = requireRegion(list.provider, body.regionName);
  const networkRegion =
    body.vpcRegionName === undefined ? region : requireRegion(list.provider, body.vpcRegionName);
  if ((await endpointsIn(tx, list)).some((other) => other.region === region))
    throw providerEndpointFaults.PROVIDER_ENDPOINT_EXISTS(region);
  const row: EndpointRow = { ...list, id: tx.id(), region, networkRegion };
  await insertEndpoint(tx, row);
  return row;
}
