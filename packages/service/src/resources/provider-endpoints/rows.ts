import type { ReadTx, Tx } from '../../store/index.ts';

/** `keys`: for encryption at rest. `buckets`: for exports of snapshots. */
export type Purpose = 'keys' | 'buckets';
export type Provider = 'AWS' | 'AZURE';

interface Tables {
  provider_endpoint: {
    id: string;
    group_id: string;
    purpose: string;
    provider: string;
    region: string;
    network_region: string;
  };
}

/** The endpoints of a project for one purpose at one provider. */
export interface EndpointList {
  readonly groupId: string;
  readonly purpose: Purpose;
  readonly provider: Provider;
}

export interface EndpointRow extends EndpointList {
  readonly id: string;
  readonly region: string;
  readonly networkRegion: string;
}

/** Returns the endpoints of a list, oldest first. */
export async function endpointsIn(tx: ReadTx, list: EndpointList): Promise<EndpointRow[]> {
  const { groupId, purpose, provider } = list;
  const query = tx.from<Tables>().selectFrom('provider_endpoint').selectAll().where('group_id', '=', groupId);
  const rows = await query
    .where('purpose', '=', purpose)
    .where('provider', '=', provider)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...{ groupId, purpose, provider },
    ...{ id: row.id, region: row.region, networkRegion: row.network_region },
  }));
}

export async function insertEndpoint(tx: Tx, row: EndpointRow): Promise<void> {
  const { id, purpose, provider, region } = row;
  const others = { group_id: row.groupId, network_region: row.networkRegion };
  await tx
    .from<Tables>()
    .insertInto('provider_endpoint')
    .values({ id, purpose, provider, region, ...others })
    .execute();
}

export async function deleteEndpoint(tx: Tx, id: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('provider_endpoint').where('id', '=', id).execute();
}
