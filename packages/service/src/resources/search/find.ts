import type { ReadTx } from '../../store/index.ts';
import { type ClusterModel, hostName, requireCluster } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { type EngineIndex, ifReachable, indexesOfCluster, indexesOfCollection } from './engine-indexes.ts';
import { type IndexRow, indexById, indexesOf } from './rows.ts';
import { searchFaults } from './rules.ts';

/** What handlers need to look: how they read, and whom they ask. */
interface Looking<P> {
  readonly services: Services;
  readonly params: P;
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
}

interface InCluster {
  readonly groupId: string;
  readonly clusterName: string;
}

/** One index, as the service and the cluster know it: at least one of them does. */
export interface Known {
  readonly cluster: ClusterModel;
  readonly row: IndexRow | undefined;
  readonly found: EngineIndex | undefined;
  /** The cluster has been asked, and has answered. */
  readonly asked?: boolean;
  /** Nodes that should have it, under the ids that processes have; absent where nobody has asked them. */
  readonly hosts?: readonly string[];
}

/** All of a cluster, or of a collection. */
export async function knownIn(
  { services, params, read }: Looking<InCluster>,
  place?: { readonly database: string; readonly collection: string },
): Promise<readonly Known[]> {
  const { cluster, rows } = await read(async (tx) => {
    const cluster = await requireCluster(tx, params);
    return { cluster, rows: await indexesOf(tx, cluster.id) };
  });
  const found = await ifReachable(cluster, () =>
    place === undefined
      ? indexesOfCluster(services, cluster)
      : indexesOfCollection(services, cluster, place.database, place.collection),
  );
  const here = rows.filter(
    (row) => place === undefined || (row.database === place.database && row.collection === place.collection),
  );
  const processes = processesOf(cluster, services);
  const byId = new Map(found?.map((one) => [one.id, withProcesses(one, processes)]));
  const hosts = [...processes.values()];
  const ids = new Set([...here.map(({ id }) => id), ...byId.keys()]);
  const rowById = new Map(here.map((row) => [row.id, row]));
  return [...ids].toSorted().map((id) => ({
    ...{ cluster, row: rowById.get(id), found: byId.get(id), hosts },
    asked: found !== undefined,
  }));
}

/** The ids of the processes that have data, by the address that the engine knows them by. */
function processesOf(cluster: ClusterModel, { naming }: Services): ReadonlyMap<string, string> {
  const members = cluster.placement.members.filter(({ id }) => !id.startsWith('router-'));
  return new Map(
    members.map((member) => [
      `${member.host}:${member.port}`,
      `${hostName(cluster, member, naming)}:${member.port}`,
    ]),
  );
}

function withProcesses(index: EngineIndex, processes: ReadonlyMap<string, string>): EngineIndex {
  const statusDetail = index.statusDetail.map((one) => ({
    ...one,
    hostname: processes.get(one.hostname) ?? one.hostname,
  }));
  return { ...index, statusDetail };
}

/** The one with this id; throws where there is none. */
export async function knownById(call: Looking<InCluster & { readonly indexId: string }>): Promise<Known> {
  const { indexId } = call.params;
  const row = await call.read(async (tx) => {
    const cluster = await requireCluster(tx, call.params);
    return indexById(tx, { clusterId: cluster.id, id: indexId });
  });
  const all = await knownIn(call, row);
  const known = all.find((one) => (one.row ?? one.found)?.id === indexId);
  if (known === undefined) throw searchFaults.PLATFORM_FTS_INDEX_NOT_FOUND(indexId);
  return known;
}

export interface ByName extends InCluster {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly indexName: string;
}

/** The one of this name; throws where there is none. */
export async function knownByName(call: Looking<ByName>): Promise<Known> {
  const { databaseName: database, collectionName: collection, indexName } = call.params;
  const all = await knownIn(call, { database, collection });
  const known = all.find((one) => (one.row ?? one.found)?.name === indexName);
  if (known === undefined) throw searchFaults.PLATFORM_FTS_INDEX_NOT_FOUND(indexName);
  return known;
}

/** The row of an index, made of what the cluster says where a driver has made it. */
export function rowOf({ cluster, row, found }: Known): IndexRow {
  const isNewer = found !== undefined && Number(found.latestDefinitionVersion.version) > (row?.version ?? -1);
  if (row !== undefined && !isNewer) return row;
  const index = found as EngineIndex;
  return {
    id: index.id,
    groupId: cluster.groupId,
    clusterId: cluster.id,
    database: index.database,
    collection: index.collection,
    name: index.name,
    type: index.type,
    definition: index.latestDefinition,
    version: Number(index.latestDefinitionVersion.version),
    versionCreated: index.latestDefinitionVersion.createdAt,
    status: row?.status === 'DELETING' ? 'DELETING' : index.status,
  };
}
