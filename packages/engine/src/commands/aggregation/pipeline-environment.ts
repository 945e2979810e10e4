import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { everything } from '../../language/filter/index.ts';
import type { Namespace, PipelineEnvironment } from '../../language/pipeline/pipeline-environment.ts';
import type { StatisticsRequest } from '../../language/pipeline/system/facts.ts';
import { documentsOf, plan } from '../../planner/plan.ts';
import { specialIndexesOf } from '../../planner/special-indexes.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { describeCollection, storedDocuments } from '../diagnostics/statistics.ts';
import { indexStatistics, uniqueKeysOf } from '../indexes/statistics.ts';
import { searchFacts } from '../search/facts.ts';
import { environmentOf } from '../shared/environment.ts';
import { addressOf } from '../shared/members.ts';
import { type CollectionUsage, usageOf } from '../shared/usage.ts';
import { readView } from '../views/read.ts';
import { findView, notSupportedOnView, rejectView } from '../views/view.ts';
import { pipelineWriter } from './pipeline-writer.ts';
import { systemFacts } from './system-facts.ts';

/** Gives the stages of an aggregation pipeline access to the cluster. */
export function pipelineEnvironmentOf(
  request: CommandRequest,
  name: string | undefined,
  cluster: ClusterContext,
  explained = false,
): PipelineEnvironment {
  const { database } = request;
  const { store } = cluster;
  const find = ({ database: other = database, collection }: Namespace) => store.collection(other, collection);
  const own = name === undefined ? undefined : { collection: name };
  return {
    namespace: { database, collection: name ?? '' },
    read(namespace, filter = everything, depth = 0) {
      const collection = find(namespace);
      if (collection === undefined) return readAsView(namespace, depth + 1, request, cluster);
      return documentsOf(collection.scan(plan(filter, { collection }).path), collection.running);
    },
    selective(namespace, filter) {
      const collection = find(namespace);
      return collection !== undefined && plan(filter, { collection }).path.kind !== 'natural';
    },
    specialIndexes: (namespace) => specialIndexesOf(find(namespace)),
    uniqueKeys: (namespace, collation) => {
      const collection = find(namespace);
      if (collection === undefined) rejectView(store, namespace.database ?? database, namespace.collection);
      if (collection?.options.has('timeseries')) throw notSupportedOnView(collection.namespace);
      return uniqueKeysOf(collection, collation);
    },
    ...pipelineWriter(request, cluster),
    collectionStats: (wanted, namespace = own) => {
      const { storage, count, executions } = wanted;
      const { database: other = database, collection } = namespace ?? {};
      if (collection !== undefined && (storage || count || executions)) rejectView(store, other, collection);
      const described = namespace && find(namespace);
      return [collectionStats(described, `${other}.${collection}`, wanted, cluster)];
    },
    system: systemFacts(request, name, cluster),
    search: searchFacts(request, name, cluster, explained),
    indexStats: (namespace = own) => {
      const collection = namespace && find(namespace);
      return collection === undefined ? [] : indexStatistics(collection, hostOf(cluster), cluster);
    },
  };
}

/** Reads the namespace as a view. Returns no documents if there is no such view. */
function readAsView(
  { database = '', collection }: Namespace,
  depth: number,
  request: CommandRequest,
  cluster: ClusterContext,
): Iterable<RawDocument> {
  const within = database === '' ? request : { ...request, database };
  if (findView(cluster.store, within.database, collection) === undefined) return [];
  return readView(collection, [], { environment: environmentOf(undefined, cluster), depth }, within, cluster)
    .documents;
}

function collectionStats(
  collection: Collection | undefined,
  ns: string,
  { latency, storage, count, executions }: StatisticsRequest,
  cluster: ClusterContext,
): RawDocument {
  if ((storage || count || executions) && collection === undefined) {
    throw new ServerError('NamespaceNotFound', `Collection [${ns}] not found.`);
  }
  return new RawDocument(
    encodeDocument({
      ns,
      host: hostOf(cluster),
      localTime: new Date(cluster.clock.now()),
      ...(latency && { latencyStats: latencies(ns, latency.histograms, cluster) }),
      ...(storage &&
        collection && {
          storageStats: {
            ...describeCollection(collection, storage.scale, cluster.store),
            scaleFactor: storage.scale,
          },
        }),
      ...(count && { count: collection === undefined ? 0 : storedDocuments(collection, cluster.store) }),
      ...(executions && { queryExecStats: { collectionScans: collectionScans(ns, cluster) } }),
    }),
  );
}

function collectionScans(ns: string, cluster: ClusterContext): object {
  const { total = 0, nonTailable = 0 } = usageOf(cluster).get(ns)?.collectionScans ?? {};
  return { total: BigInt(total), nonTailable: BigInt(nonTailable) };
}

function latencies(ns: string, histograms: boolean, cluster: ClusterContext): object {
  const usage = usageOf(cluster).get(ns);
  const sum = (...events: ReadonlyArray<Parameters<CollectionUsage['get']>[0]>) => {
    const tallies = events.flatMap((event) => usage?.get(event) ?? []);
    return {
      ...(histograms && { histogram: joined(tallies.map(({ histogram }) => histogram)) }),
      latency: BigInt(tallies.reduce((total, { time }) => total + time, 0)),
      ops: BigInt(tallies.reduce((total, { count }) => total + count, 0)),
      queryableEncryptionLatencyMicros: 0n,
    };
  };
  return {
    reads: sum('queries', 'getmore'),
    writes: sum('insert', 'update', 'remove'),
    commands: sum('commands'),
    transactions: sum(),
  };
}

function joined(histograms: ReadonlyArray<ReadonlyMap<number, number>>): object[] {
  const all = new Map<number, number>();
  for (const [micros, count] of histograms.flatMap((one) => [...one])) {
    all.set(micros, (all.get(micros) ?? 0) + count);
  }
  return [...all]
    .sort(([a], [b]) => a - b)
    .map(([micros, count]) => ({ micros: BigInt(micros), count: BigInt(count) }));
}

function hostOf({ topology: { members } }: ClusterContext): string {
  const primary = members.find(({ state }) => state === 'PRIMARY');
  return primary === undefined ? '' : addressOf(primary);
}
