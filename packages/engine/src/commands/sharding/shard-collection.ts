import { Binary } from 'bson';
import type { Privilege } from '../../access/privilege.ts';
import { bsonTypes } from '../../bson/bson-types.ts';
import { describeDocument } from '../../bson/describe.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { boolOf, textOf, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { ownDatabases } from '../../interface/namespaces.ts';
import { audited } from '../../observe/audited.ts';
import { documentsOf } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import { seriesFields } from '../catalog/create/series-fields.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import type { CommandRequest } from '../context/request.ts';
import { saveConfig } from '../shared/config-database.ts';
import { command } from '../shared/define.ts';
import { nested } from '../shared/field-builders.ts';
import { sharding } from '../shared/presets.ts';
import { collectionToWrite } from '../views/collection-to-write.ts';
import { replaceChunks } from './chunks.ts';
import { placeDatabase } from './databases.ts';
import { logShardKeyChange } from './log-shard-key-change.ts';
import { evenRanges, hashedRanges, wholeRange } from './ranges.ts';
import { highest, keyOf, lowest, readShardKey, type ShardKey } from './shard-key.ts';
import { ensureShardKeyIndex } from './shard-key-index.ts';
import { findSharded, forgetSharded, requireSharded } from './sharded.ts';
import { ensureTimeSeries } from './sharded-series.ts';
import { shardNamed } from './shards.ts';

/** This file contains the commands that shard collections and change shard keys. */

export function splitNamespace(namespace: string): { database: string; collection: string } {
  const dot = namespace.indexOf('.');
  if (dot < 1 || dot === namespace.length - 1) {
    throw new ServerError('InvalidNamespace', `Invalid namespace specified '${namespace}'`);
  }
  return { database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) };
}

/** Returns the privilege on the collection whose full name is in the command's first field. */
export function onNamedCollection(action: string): (request: CommandRequest) => readonly Privilege[] {
  return ({ body }) => {
    const first = body.first();
    const namespace = first?.type === bsonTypes.string ? textOf(first) : '';
    const dot = namespace.indexOf('.');
    if (dot < 1) return [{ action, database: namespace, collection: '' }];
    return [{ action, database: namespace.slice(0, dot), collection: namespace.slice(dot + 1) }];
  };
}

const enableSharding = command({
  name: 'enableSharding',
  ...sharding,
  audit: audited('enableSharding', ({ args }) => ({ ns: args.get('enableSharding') })),
  privileges: onNamedCollection('enableSharding'),
  fields: { enableSharding: 'string!', primaryShard: 'string' },
  run({ enableSharding: database, primaryShard }, _request, cluster) {
    if (ownDatabases.has(database)) {
      throw new ServerError('InvalidOptions', `can't shard ${database} database`);
    }
    const shard = primaryShard === undefined ? undefined : shardNamed(primaryShard, cluster.topology)._id;
    placeDatabase(cluster, database, shard);
    return {};
  },
});

const isTrue = (value: Value | undefined) => value?.type === bsonTypes.bool && boolOf(value);

const shardCollection = command({
  name: 'shardCollection',
  ...sharding,
  audit: audited('shardCollection', ({ args }) => ({
    ns: args.get('shardCollection'),
    key: args.get('key'),
    options: { unique: isTrue(args.get('unique')) },
  })),
  privileges: onNamedCollection('enableSharding'),
  fields: {
    shardCollection: 'string!',
    key: 'object!',
    unique: 'bool',
    numInitialChunks: 'int',
    presplitHashedZones: 'bool',
    collation: 'object',
    timeseries: nested(seriesFields),
    implicitlyCreateIndex: 'bool',
    enforceUniquenessCheck: 'bool',
  },
  run({ shardCollection: namespace, key: pattern, unique = false, ...args }, request, cluster) {
    const { database, collection: name } = splitNamespace(namespace);
    if (ownDatabases.has(database)) {
      throw new ServerError('IllegalOperation', `can't shard collections in the ${database} database`);
    }
    const key = readShardKey(pattern);
    const hashed = [...key.values()].some((field) => field.hashed);
    if (hashed && unique)
      throw new ServerError('InvalidOptions', 'Hashed shard keys cannot be declared unique.');
    if (args.numInitialChunks !== undefined && !hashed) {
      throw new ServerError(
        'InvalidOptions',
        'numInitialChunks is only supported when the shard key is hashed',
      );
    }
    const before = findSharded(cluster, namespace);
    if (before !== undefined) {
      if (before.pattern.equals(pattern) && before.unique === unique) return { collectionsharded: namespace };
      throw new ServerError('AlreadyInitialized', `sharding already enabled for collection ${namespace}`);
    }
    const primary = placeDatabase(cluster, database);
    ensureTimeSeries(key, { database, name, timeseries: args.timeseries }, request, cluster);
    const collection = collectionToWrite({ ...request, database }, name, cluster);
    const wasEmpty = collection.documents === 0;
    // The keys of measurements are those of their buckets, which have no indexes here.
    const mayCreate = wasEmpty || collection.options.has('timeseries');
    ensureShardKeyIndex(collection, { pattern, unique, mayCreate }, request, cluster);
    checkKeys(collection, key);
    const uuid = new Binary(Buffer.from(collection.uuid), Binary.SUBTYPE_UUID);
    recordCollection(cluster, namespace, { uuid, pattern, unique });
    const ranges = wasEmpty && hashed ? hashedRanges(cluster, key) : [wholeRange(key, primary)];
    replaceChunks(cluster, uuid, { all: [], old: [], replacements: ranges });
    logShardKeyChange(cluster, 'shardCollection', collection, { shardKey: pattern, unique });
    return { collectionsharded: namespace };
  },
});

function checkKeys(collection: Collection, key: ShardKey): void {
  for (const document of documentsOf(
    collection.scan({ kind: 'natural', reverse: false }),
    collection.running,
  ))
    keyOf(key, document);
}

function recordCollection(
  cluster: ClusterContext,
  namespace: string,
  {
    uuid,
    pattern,
    unique,
  }: { readonly uuid: Binary | Value; readonly pattern: RawDocument; readonly unique: boolean },
): void {
  saveConfig(cluster.store, 'collections', {
    _id: namespace,
    lastmodEpoch: cluster.random.newId(),
    lastmod: new Date(cluster.clock.now()),
    timestamp: timestampAt(cluster.store.oplog.last),
    uuid,
    key: pattern,
    unique,
    noBalance: false,
    unsplittable: false,
  });
}

const rekeyFields = { key: 'object!', unique: 'bool', collation: 'object', numInitialChunks: 'int' } as const;

const refineCollectionShardKey = command({
  name: 'refineCollectionShardKey',
  ...sharding,
  audit: audited('refineCollectionShardKey', ({ args }) => ({
    ns: args.get('refineCollectionShardKey'),
    key: args.get('key'),
  })),
  privileges: onNamedCollection('refineCollectionShardKey'),
  fields: { refineCollectionShardKey: 'string!', key: 'object!', enforceUniquenessCheck: 'bool' },
  run({ refineCollectionShardKey: namespace, key: pattern }, request, cluster) {
    const before = requireSharded(cluster, namespace);
    if (before.pattern.equals(pattern)) return {};
    const [old, wanted] = [[...before.pattern], [...pattern]];
    if (wanted.length < old.length || old.some((part, i) => part.name !== wanted[i]?.name)) {
      const text = `refineCollectionShardKey shard key must have the shard key ${describeDocument(before.pattern)} as a prefix`;
      throw new ServerError('InvalidOptions', text);
    }
    const key = readShardKey(pattern);
    const { database, collection: name } = splitNamespace(namespace);
    const collection = collectionToWrite({ ...request, database }, name, cluster);
    ensureShardKeyIndex(collection, { pattern, unique: false, mayCreate: false }, request, cluster);
    saveRekeyed(cluster, namespace, before.document, pattern);
    const [low, high] = [lowest(key), highest(key)];
    const last = before.chunks.length - 1;
    const replacements = before.chunks.map(({ min, max, shard }, i) => ({
      min: { ...low, ...min },
      max: { ...(i === last ? high : low), ...max },
      shard,
    }));
    replaceChunks(cluster, before.uuid, { all: before.chunks, old: before.chunks, replacements });
    logShardKeyChange(cluster, 'refineCollectionShardKey', collection, {
      shardKey: pattern,
      oldShardKey: before.pattern,
    });
    return {};
  },
});

const reshardCollection = command({
  name: 'reshardCollection',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('reshardCollection'),
  fields: { reshardCollection: 'string!', ...rekeyFields, zones: 'documents', forceRedistribution: 'bool' },
  run({ reshardCollection: namespace, key: pattern }, request, cluster) {
    const before = requireSharded(cluster, namespace);
    const key = readShardKey(pattern);
    const { database, collection: name } = splitNamespace(namespace);
    const collection = collectionToWrite({ ...request, database }, name, cluster);
    ensureShardKeyIndex(collection, { pattern, unique: false, mayCreate: true }, request, cluster);
    checkKeys(collection, key);
    saveRekeyed(cluster, namespace, before.document, pattern);
    const hashed = [...key.values()].some((field) => field.hashed);
    const replacements = hashed ? hashedRanges(cluster, key) : evenRanges(collection, key, cluster);
    replaceChunks(cluster, before.uuid, { all: before.chunks, old: before.chunks, replacements });
    logShardKeyChange(cluster, 'reshardCollection', collection, {
      shardKey: pattern,
      oldShardKey: before.pattern,
    });
    return {};
  },
});

function saveRekeyed(
  cluster: ClusterContext,
  namespace: string,
  before: RawDocument,
  pattern: RawDocument,
): void {
  recordCollection(cluster, namespace, {
    uuid: before.get('uuid') as Value,
    pattern,
    unique: before.bool('unique') ?? false,
  });
}

const unshardCollection = command({
  name: 'unshardCollection',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('unshardCollection'),
  fields: { unshardCollection: 'string!', toShard: 'string' },
  run({ unshardCollection: namespace, toShard }, _request, cluster) {
    requireSharded(cluster, namespace);
    if (toShard !== undefined) shardNamed(toShard, cluster.topology);
    forgetSharded(cluster.store, namespace);
    return {};
  },
});

const movePrimary = command({
  name: 'movePrimary',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('moveChunk'),
  fields: { movePrimary: 'string!', to: 'string!' },
  run({ movePrimary: database, to }, _request, cluster) {
    const primary = placeDatabase(cluster, database, shardNamed(to, cluster.topology)._id);
    return { primary };
  },
});

export const shardCollectionCommands: readonly Command[] = [
  enableSharding,
  shardCollection,
  refineCollectionShardKey,
  reshardCollection,
  unshardCollection,
  movePrimary,
];
