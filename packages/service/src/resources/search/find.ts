import type { ReadTx } from '../../store/index.ts';
import { type ClusterModel, hostName, requireSearched } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import {
  type EngineIndex,
  ifReachable,
  indexesOfCluster,
  indexesOfCollection,
  ListingRefused,
} from './engine-indexes.ts';
import { searchFaults } from './faults.ts';
import { type IndexRow, indexById, indexesOf } from './rows.ts';

/** The properties of a call that are needed to find indexes. */
interface LookupCall<P> {
  readonly services: Services;
  readonly params: P;
  read<T>(work: (tx: ReadTx) => Promise<T>): Promise<T>;
}

interface InCluster {
  readonly groupId: string;
  readonly clusterName: string;
}

/** An index: its row in the service's database, its description from the cluster, or both. */
export interface KnownIndex {
  readonly cluster: ClusterModel;
  readonly row: IndexRow | undefined;
  readonly found: EngineIndex | undefined;
  /** Whether the service queried the cluster and received a response. */
  readonly responded?: boolean;
  /** Process ids of the nodes that should have the index; absent if they are unknown. */
  readonly hosts?: readonly string[];
}

/**
 * Returns the indexes of a cluster, or those of one collection. If the cluster is not reachable, returns those that the
 * service has stored. Throws SEARCH_INDEXES_NOT_LISTED if its servers refuse to list their indexes, since the stored ones
 * may no longer exist.
 */
export async function findIndexes(
  { services, params, read }: LookupCall<InCluster>,
  namespace?: { readonly database: string; readonly collection: string },
): Promise<readonly KnownIndex[]> {
  const { cluster, rows } = await read(async (tx) => {
    const cluster = await requireSearched(tx, params);
    return { cluster, rows: await indexesOf(tx, cluster.id) };
  });
  const list = async () => {
    if (namespace === undefined) return indexesOfCluster(services, cluster);
    return indexesOfCollection(services, cluster, namespace.database, namespace.collection);
  };
  const found = await ifReachable(cluster, () =>
    list().catch((error) => {
      if (!(error instanceof ListingRefused)) throw error;
      throw searchFaults.SEARCH_INDEXES_NOT_LISTED(cluster.name, error.reason);
    }),
  );
  const matching = rows.filter(
    (row) =>
      namespace === undefined ||
      (row.database === namespace.database && row.collection === namespace.collection),
  );
  const processes = processesOf(cluster, services);
  const byId = new Map(found?.map((one) => [one.id, withProcesses(one, processes)]));
  const hosts = [...processes.values()];
  const ids = new Set([...matching.map(({ id }) => id), ...byId.keys()]);
  const rowById = new Map(matching.map((row) => [row.id, row]));
  const responded = found !== undefined;
  return [...ids].toSorted().map((id): KnownIndex => {
    return { cluster, row: rowById.get(id), found: byId.get(id), hosts, responded };
  });
}

/** Maps the address that the engine uses for a data node to the process id of the node in the API. */
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

/** Returns the index with an id. Throws PLATFORM_FTS_INDEX_NOT_FOUND. */
export async function requireIndexById(
  call: LookupCall<InCluster & { readonly indexId: string }>,
): Promise<KnownIndex> {
  const { indexId } = call.params;
  const row = await call.read(async (tx) => {
    const cluster = await requireSearched(tx, call.params);
    return indexById(tx, { clusterId: cluster.id, id: indexId });
  });
  const all = await findIndexes(call, row);
  const known = all.find((one) => (one.row ?? one.found)?.id === indexId);
  if (known === undefined) throw searchFaults.PLATFORM_FTS_INDEX_NOT_FOUND(indexId);
  return known;
}

export interface ByName extends InCluster {
  readonly databaseName: string;
  readonly collectionName: string;
  readonly indexName: string;
}

/** Returns the index with a name. Throws PLATFORM_FTS_INDEX_NOT_FOUND. */
export async function requireIndexByName(call: LookupCall<ByName>): Promise<KnownIndex> {
  const { databaseName: database, collectionName: collection, indexName } = call.params;
  const all = await findIndexes(call, { database, collection });
  const known = all.find((one) => (one.row ?? one.found)?.name === indexName);
  if (known === undefined) throw searchFaults.PLATFORM_FTS_INDEX_NOT_FOUND(indexName);
  return known;
}

/**
 * Returns the row of an index. If a driver created or changed the index, returns a row with the values that
 * the cluster reports.
 */
export function rowOf({ cluster, row, found }: KnownIndex): IndexRow {
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
    isUntyped: row?.isUntyped ?? false,
    definition: index.latestDefinition,
    version: Number(index.latestDefinitionVersion.version),
    versionCreated: index.latestDefinitionVersion.createdAt,
    status: row?.status === 'DELETING' ? 'DELETING' : index.status,
  };
}
