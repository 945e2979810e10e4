import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { NewEndpoint, Provider } from './schema.ts';

interface Tables {
  endpoint_service: {
    id: string;
    group_id: string;
    provider: string;
    region: string;
    maps_ports: number;
    remote_regions: string | null;
  };
  private_endpoint: { service_id: string; name: string; settings: string };
  regional_mode: { group_id: string; enabled: number };
}

export interface ServiceRow {
  readonly id: string;
  readonly groupId: string;
  readonly provider: Provider;
  readonly region: string;
  readonly mapsPorts: boolean;
  readonly remoteRegions: readonly string[] | undefined;
}

export interface EndpointRow {
  readonly serviceId: string;
  /** The id of the endpoint at AWS and Azure, or the name of the endpoint group at GCP. */
  readonly name: string;
  readonly settings: NewEndpoint;
}

const remoteRegions = codec.json<readonly string[]>();
const settings = codec.json<NewEndpoint>();

function readService(row: Tables['endpoint_service']): ServiceRow {
  return {
    id: row.id,
    groupId: row.group_id,
    provider: row.provider as Provider,
    region: row.region,
    mapsPorts: codec.boolean.read(row.maps_ports),
    remoteRegions: row.remote_regions === null ? undefined : remoteRegions.read(row.remote_regions),
  };
}

/** Returns the endpoint services of a project at a provider, oldest first. */
export async function servicesOf(tx: ReadTx, groupId: string, provider: string): Promise<ServiceRow[]> {
  const all = tx.from<Tables>().selectFrom('endpoint_service').selectAll().where('group_id', '=', groupId);
  return (await all.where('provider', '=', provider).orderBy('id').execute()).map(readService);
}

export async function insertService(tx: Tx, row: ServiceRow): Promise<void> {
  const { id, provider, region } = row;
  await tx
    .from<Tables>()
    .insertInto('endpoint_service')
    .values({
      ...{ id, provider, region },
      group_id: row.groupId,
      maps_ports: codec.boolean.write(row.mapsPorts),
      remote_regions: row.remoteRegions ? remoteRegions.write(row.remoteRegions) : null,
    })
    .execute();
}

export async function saveRemoteRegions(tx: Tx, id: string, regions: readonly string[]): Promise<void> {
  const columns = { remote_regions: remoteRegions.write(regions) };
  await tx.from<Tables>().updateTable('endpoint_service').set(columns).where('id', '=', id).execute();
}

export async function deleteService(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('endpoint_service').where('id', '=', id).execute();
}

/** Returns the endpoints of a service, by name. */
export async function endpointsOf(tx: ReadTx, serviceId: string): Promise<EndpointRow[]> {
  const all = tx
    .from<Tables>()
    .selectFrom('private_endpoint')
    .selectAll()
    .where('service_id', '=', serviceId);
  return (await all.orderBy('name').execute()).map((row) => ({
    serviceId: row.service_id,
    name: row.name,
    settings: settings.read(row.settings),
  }));
}

export async function insertEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  const values = { service_id: row.serviceId, name: row.name, settings: settings.write(row.settings) };
  await tx.from<Tables>().insertInto('private_endpoint').values(values).execute();
}

export async function deleteEndpoint(tx: Tx, { serviceId, name }: EndpointRow): Promise<void> {
  const rows = tx.from<Tables>().deleteFrom('private_endpoint').where('service_id', '=', serviceId);
  await rows.where('name', '=', name).execute();
}

export async function regionalMode(tx: ReadTx, groupId: string): Promise<boolean> {
  const rows = tx.from<Tables>().selectFrom('regional_mode').select('enabled');
  const row = await rows.where('group_id', '=', groupId).executeTakeFirst();
  return row !== undefined && codec.boolean.read(row.enabled);
}

export async function saveRegionalMode(tx: Tx, groupId: string, on: boolean): Promise<void> {
  const enabled = codec.boolean.write(on);
  const insert = tx.from<Tables>().insertInto('regional_mode').values({ group_id: groupId, enabled });
  await insert.onConflict((of) => of.column('group_id').doUpdateSet({ enabled })).execute();
}
