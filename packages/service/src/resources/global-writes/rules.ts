import { ownDatabases } from '@portolan/engine/interface/namespaces';
import { badValue } from '../../api/faults.ts';
import type { ReadTx } from '../../store/index.ts';
import { assertCan, type ClusterModel, requireDedicatedCluster } from '../clusters/index.ts';
import { globalWritesFaults } from './faults.ts';
import { mappingsOf, namespacesOf, type ZoneMapping } from './rows.ts';
import { MAX_MAPPINGS, type ManagedNamespace, type ZoneMappings } from './schema.ts';

/** The largest number of managed namespaces of a cluster. */
const MAX_NAMESPACES = 100;

interface ClusterPath {
  readonly groupId: string;
  readonly clusterName: string;
}

/** Returns the global cluster that a path names. Throws if the cluster is of another type. */
export async function requireGlobal(tx: ReadTx, at: ClusterPath): Promise<ClusterModel> {
  const cluster = await requireDedicatedCluster(tx, at);
  const { clusterType } = cluster.spec;
  if (clusterType !== 'GEOSHARDED') throw globalWritesFaults.CLUSTER_NOT_GLOBAL(cluster.name, clusterType);
  assertCan(cluster, 'zones');
  return cluster;
}

/** Like `requireGlobal`, but also throws if users shard the collections of the cluster themselves. */
export async function requireManaged(tx: ReadTx, at: ClusterPath): Promise<ClusterModel> {
  const cluster = await requireGlobal(tx, at);
  if (isSelfManaged(cluster)) throw globalWritesFaults.SELF_MANAGED_SHARDING(cluster.name);
  return cluster;
}

export function isSelfManaged({ spec }: Pick<ClusterModel, 'spec'>): boolean {
  return spec.settings.globalClusterSelfManagedSharding === true;
}

/** Returns the namespace as commands write it. */
export const nameOf = ({ db, collection }: Pick<ManagedNamespace, 'db' | 'collection'>) =>
  `${db}.${collection}`;

/** Throws if the namespace cannot be added. */
export async function checkNamespace(
  tx: ReadTx,
  { id, name }: ClusterModel,
  added: ManagedNamespace,
): Promise<void> {
  if (ownDatabases.has(added.db)) throw badValue('db', 'must not be an internal database');
  if (added.customShardKey === 'location')
    throw badValue('customShardKey', 'must not be location, which is the first field of the shard key');
  if (added.isCustomShardKeyHashed && added.isShardKeyUnique)
    throw badValue('isShardKeyUnique', 'must be false, because a hashed field cannot be unique');
  const existing = await namespacesOf(tx, id);
  if (existing.some((other) => nameOf(other) === nameOf(added)))
    throw globalWritesFaults.DUPLICATE_MANAGED_NAMESPACE(nameOf(added), name);
  if (existing.length >= MAX_NAMESPACES)
    throw globalWritesFaults.MANAGED_NAMESPACES_LIMIT_EXCEEDED(name, MAX_NAMESPACES);
}

/** Throws MANAGED_NAMESPACE_NOT_FOUND if the cluster does not manage the namespace. */
export async function requireNamespace(
  tx: ReadTx,
  { id, name }: ClusterModel,
  wanted: Pick<ManagedNamespace, 'db' | 'collection'>,
): Promise<ManagedNamespace> {
  const found = (await namespacesOf(tx, id)).find((one) => nameOf(one) === nameOf(wanted));
  if (found === undefined) throw globalWritesFaults.MANAGED_NAMESPACE_NOT_FOUND(nameOf(wanted), name);
  return found;
}

/** Returns the locations with the ids of their zones. Throws for an unknown zone, and for a location with two zones. */
export function readMappings({ spec }: ClusterModel, { customZoneMappings: given }: ZoneMappings) {
  const seen = new Set<string>();
  return given.map(({ location, zone }, index) => {
    const found = spec.zones.find(({ name }) => name === zone);
    if (found === undefined)
      throw badValue(`customZoneMappings.${index}.zone`, `names no zone of the cluster: ${zone}`);
    if (seen.has(location)) throw badValue(`customZoneMappings.${index}.location`, 'appears twice');
    seen.add(location);
    return { location, zoneId: found.id };
  });
}

/**
 * Throws if the cluster would have too many mappings. Mappings to deleted zones count towards the limit, since they are
 * stored.
 */
export async function checkMappings(
  tx: ReadTx,
  { id, name }: ClusterModel,
  added: readonly ZoneMapping[],
): Promise<void> {
  const locations = [...(await mappingsOf(tx, id)), ...added].map(({ location }) => location);
  if (new Set(locations).size > MAX_MAPPINGS)
    throw globalWritesFaults.ZONE_MAPPINGS_LIMIT_EXCEEDED(name, MAX_MAPPINGS);
}

/** Returns the mappings whose zone still exists. */
export async function validMappings(tx: ReadTx, { id, spec }: ClusterModel) {
  const zones = new Set(spec.zones.map((zone) => zone.id));
  return (await mappingsOf(tx, id)).filter(({ zoneId }) => zones.has(zoneId));
}
