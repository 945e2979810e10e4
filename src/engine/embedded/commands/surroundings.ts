import type { ClusterContext, CommandRequest } from '../command.ts';
import { bsonTypes } from '../language/bson-types.ts';
import { everything } from '../language/filter/index.ts';
import type { Namespace, PipelineSurroundings } from '../language/pipeline/surroundings.ts';
import { RawDocument } from '../language/raw.ts';
import { ServerError } from '../server-error.ts';
import type { Collection } from '../storage/collection.ts';
import { encodeDocument } from './encode.ts';
import { idIndex } from './indexes.ts';
import { pipelineWriter } from './pipeline-writer.ts';
import { documentsOf, plan } from './plan.ts';
import { addressOf } from './server-status.ts';
import { describeCollection } from './statistics.ts';

/** What the pipeline of an aggregation sees of its cluster, and how it writes. */
export function surroundingsOf(
  request: CommandRequest,
  name: string | undefined,
  cluster: ClusterContext,
): PipelineSurroundings {
  const { database } = request;
  const { store } = cluster;
  const find = ({ database: other = database, collection }: Namespace) => store.collection(other, collection);
  const own = () => (name === undefined ? undefined : store.collection(database, name));
  return {
    namespace: { database, collection: name ?? '' },
    read(namespace, filter = everything) {
      const collection = find(namespace);
      if (collection === undefined) return [];
      return documentsOf(collection.scan(plan(filter, { collection }).path));
    },
    uniqueKeys: () => [['_id']],
    ...pipelineWriter(request, cluster),
    collectionStats: (options) => [collectionStats(own(), `${database}.${name}`, options, cluster)],
    indexStats: () => (own() === undefined ? [] : [indexStats(cluster)]),
  };
}

function collectionStats(
  collection: Collection | undefined,
  ns: string,
  options: RawDocument,
  cluster: ClusterContext,
): RawDocument {
  const storage = options.get('storageStats');
  const scale =
    storage?.type === bsonTypes.object ? (options.document('storageStats')?.int('scale') ?? 1) : 1;
  if (options.has('count') && collection === undefined) {
    throw new ServerError('NamespaceNotFound', `Collection [${ns}] not found.`);
  }
  return new RawDocument(
    encodeDocument({
      ns,
      host: hostOf(cluster),
      localTime: new Date(cluster.now()),
      ...(storage === undefined
        ? {}
        : { storageStats: { ...describeCollection(collection, scale), scaleFactor: scale } }),
      ...(options.has('count') ? { count: collection?.documents ?? 0 } : {}),
    }),
  );
}

function indexStats(cluster: ClusterContext): RawDocument {
  return new RawDocument(
    encodeDocument({ name: idIndex.name, key: idIndex.key, host: hostOf(cluster), spec: idIndex }),
  );
}

function hostOf({ members }: ClusterContext): string {
  const primary = members.find(({ state }) => state === 'PRIMARY');
  return primary === undefined ? '' : addressOf(primary);
}
