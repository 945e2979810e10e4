import { codec, type ReadTx, type Tx } from '../../store/index.ts';
import type { ManagedNamespace } from './schema.ts';

interface Tables {
  zone_mapping: { cluster_id: string; location: string; zone_id: string };
  managed_namespace: { cluster_id: string; db_name: string; coll_name: string; settings: string };
}

export interface ZoneMapping {
  readonly location: string;
  readonly zoneId: string;
}

const settings = codec.json<ManagedNamespace>();

/** Returns the zones of locations, by location. */
export async function mappingsOf(tx: ReadTx, clusterId: string): Promise<ZoneMapping[]> {
  const query = tx.from<Tables>().selectFrom('zone_mapping').selectAll();
  const rows = await query.where('cluster_id', '=', clusterId).orderBy('location').execute();
  return rows.map((row) => ({ location: row.location, zoneId: row.zone_id }));
}

/** Saves the zones of locations. No location may appear twice. */
export async function saveMappings(
  tx: Tx,
  clusterId: string,
  mappings: readonly ZoneMapping[],
): Promise<void> {
  const values = mappings.map(({ location, zoneId }) => ({
    cluster_id: clusterId,
    location,
    zone_id: zoneId,
  }));
  if (values.length === 0) return;
  const insert = tx.from<Tables>().insertInto('zone_mapping').values(values);
  await insert
    .onConflict((of) =>
      of.columns(['cluster_id', 'location']).doUpdateSet(({ ref }) => ({ zone_id: ref('excluded.zone_id') })),
    )
    .execute();
}

export async function deleteMappings(tx: Tx, clusterId: string): Promise<void> {
  await tx.from<Tables>().deleteFrom('zone_mapping').where('cluster_id', '=', clusterId).execute();
}

/** Returns the managed namespaces of a cluster, by name. */
export async function namespacesOf(tx: ReadTx, clusterId: string): Promise<ManagedNamespace[]> {
  const query = tx.from<Tables>().selectFrom('managed_namespace').select('settings');
  const rows = await query
    .where('cluster_id', '=', clusterId)
    .orderBy('db_name')
    .orderBy('coll_name')
    .execute();
  return rows.map((row) => settings.read(row.settings));
}

export async function insertNamespace(tx: Tx, clusterId: string, of: ManagedNamespace): Promise<void> {
  const names = { db_name: of.db, coll_name: of.collection };
  const values = { cluster_id: clusterId, ...names, settings: settings.write(of) };
  await tx.from<Tables>().insertInto('managed_namespace').values(values).execute();
}

export async function deleteNamespace(
  tx: Tx,
  clusterId: string,
  { db, collection }: Pick<ManagedNamespace, 'db' | 'collection'>,
): Promise<void> {
  const rows = tx.from<Tables>().deleteFrom('managed_namespace').where('cluster_id', '=', clusterId);
  await rows.where('db_name', '=', db).where('coll_name', '=', collection).execute();
}
