import { encodeDocument } from '../../bson/encode.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { documentOf } from '../../bson/raw.ts';
import { minKey, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { documentsOf } from '../../planner/plan.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Command } from '../context/command.ts';
import { command } from '../shared/define.ts';
import { listOf, required } from '../shared/field-builders.ts';
import { sharding } from '../shared/presets.ts';
import { type Chunk, chunkWith, replaceChunks } from './chunks.ts';
import { onNamedCollection, splitNamespace } from './shard-collection.ts';
import { boundOf, compareKeys, type KeyValues, keyOf } from './shard-key.ts';
import { requireSharded, type ShardedCollection } from './sharded.ts';
import { shardNamed } from './shards.ts';

/** This file contains the commands on the chunks of a sharded collection. */

const chunkSelector = { find: 'object', bounds: listOf('object') } as const;

const split = command({
  name: 'split',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('splitChunk'),
  fields: { split: 'string!', ...chunkSelector, middle: 'object' },
  run({ split: namespace, middle, ...chosen }, _request, cluster) {
    const collection = requireSharded(cluster, namespace);
    const given = [middle, chosen.find, chosen.bounds].filter((each) => each !== undefined);
    if (given.length !== 1) {
      throw new ServerError('InvalidOptions', 'need to specify exactly one of middle, find and bounds');
    }
    const at = middle === undefined ? undefined : boundOf(collection.key, middle, minKey);
    const chunk = at === undefined ? selectChunk(collection, chosen) : chunkWith(collection.chunks, at);
    const point = at ?? median(cluster, namespace, collection, chunk);
    if (point === undefined || compareKeys(point, chunk.min) === 0) {
      throw new ServerError('CannotSplit', 'the chunk cannot be split at that key');
    }
    const replacements = [
      { ...chunk, max: point },
      { ...chunk, min: point },
    ];
    replaceChunks(cluster, collection.uuid, { all: collection.chunks, old: [chunk], replacements });
    return {};
  },
});

/** Returns the median shard key of the documents in a chunk. */
function median(
  { store }: ClusterContext,
  namespace: string,
  { key }: ShardedCollection,
  { min, max }: Chunk,
): KeyValues | undefined {
  const { database, collection: name } = splitNamespace(namespace);
  const collection = store.collection(database, name);
  if (collection === undefined) return undefined;
  const keys: KeyValues[] = [];
  for (const document of documentsOf(
    collection.scan({ kind: 'natural', reverse: false }),
    collection.running,
  )) {
    const values = keyOf(key, document);
    if (compareKeys(min, values) <= 0 && compareKeys(values, max) < 0) keys.push(detached(values));
  }
  return keys.sort(compareKeys)[Math.floor(keys.length / 2)];
}

/** Copies the values. Otherwise they would keep the page of their document in memory. */
function detached(values: KeyValues): KeyValues {
  const copied = documentOf({ bytes: encodeDocument(values), start: 0 } as Value);
  return Object.fromEntries([...copied].map((field) => [field.name, field]));
}

function selectChunk(
  { key, chunks }: ShardedCollection,
  { find, bounds }: { readonly find?: RawDocument; readonly bounds?: readonly RawDocument[] },
): Chunk {
  if (find !== undefined) return chunkWith(chunks, keyOf(key, find));
  const [low, high] = bounds ?? [];
  const [min, max] = [low && boundOf(key, low, minKey), high && boundOf(key, high, minKey)];
  const found = chunks.find(
    (chunk) => min && max && compareKeys(chunk.min, min) === 0 && compareKeys(chunk.max, max) === 0,
  );
  if (found === undefined) throw new ServerError('BadValue', 'no chunk with these bounds');
  return found;
}

const moveChunk = command({
  name: 'moveChunk',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('moveChunk'),
  lenient: true,
  fields: { moveChunk: 'string!', ...chunkSelector, to: 'string!' },
  run({ moveChunk: namespace, to, ...chosen }, _request, cluster) {
    const started = cluster.clock.elapsed();
    const collection = requireSharded(cluster, namespace);
    const chunk = selectChunk(collection, chosen);
    moveTo(cluster, collection, chunk, to);
    return { millis: Math.round(cluster.clock.elapsed() - started) };
  },
});

const moveRange = command({
  name: 'moveRange',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('moveChunk'),
  lenient: true,
  fields: { moveRange: 'string!', min: 'object', max: 'object', toShard: 'string!' },
  run({ moveRange: namespace, min, max, toShard }, _request, cluster) {
    const collection = requireSharded(cluster, namespace);
    const end = min ?? max;
    if (end === undefined) throw new ServerError('InvalidOptions', 'need to specify min or max');
    const bound = boundOf(collection.key, end, minKey);
    const chunk =
      min === undefined ? chunkEndingAt(collection.chunks, bound) : chunkWith(collection.chunks, bound);
    const [from, to] = [min ? bound : chunk.min, max ? boundOf(collection.key, max, minKey) : chunk.max];
    const { chunks, uuid } = collection;
    const shard = shardNamed(toShard, cluster.topology)._id;
    const parts = [
      { min: chunk.min, max: from, shard: chunk.shard },
      { min: from, max: to, shard },
      { min: to, max: chunk.max, shard: chunk.shard },
    ];
    const replacements = parts.filter((part) => compareKeys(part.min, part.max) < 0);
    replaceChunks(cluster, uuid, { all: chunks, old: [chunk], replacements });
    return {};
  },
});

function chunkEndingAt(chunks: readonly Chunk[], bound: KeyValues): Chunk {
  const found = chunks.find(({ max }) => compareKeys(bound, max) <= 0);
  if (found === undefined) throw new ServerError('BadValue', 'no chunk ends there');
  return found;
}

function moveTo(
  cluster: ClusterContext,
  { chunks, uuid }: ShardedCollection,
  chunk: Chunk,
  to: string,
): void {
  const shard = shardNamed(to, cluster.topology)._id;
  if (shard === chunk.shard) return;
  replaceChunks(cluster, uuid, { all: chunks, old: [chunk], replacements: [{ ...chunk, shard }] });
}

const mergeChunks = command({
  name: 'mergeChunks',
  ...sharding,
  audit: 'none',
  privileges: onNamedCollection('splitChunk'),
  fields: { mergeChunks: 'string!', bounds: required(listOf('object')) },
  run({ mergeChunks: namespace, bounds }, _request, cluster) {
    const { key, chunks, uuid } = requireSharded(cluster, namespace);
    const [low, high] = bounds.map((bound) => boundOf(key, bound, minKey));
    if (low === undefined || high === undefined) throw new ServerError('BadValue', 'two bounds are required');
    const old = chunks.filter(({ min, max }) => compareKeys(low, min) <= 0 && compareKeys(max, high) <= 0);
    const [first, last] = [old[0], old.at(-1)];
    if (!first || !last || compareKeys(first.min, low) !== 0 || compareKeys(last.max, high) !== 0) {
      throw new ServerError('IllegalOperation', 'the bounds do not match chunk bounds');
    }
    if (old.some(({ shard }) => shard !== first.shard)) {
      throw new ServerError('IllegalOperation', 'the chunks are not all on the same shard');
    }
    if (old.length > 1) {
      replaceChunks(cluster, uuid, { all: chunks, old, replacements: [{ ...first, max: last.max }] });
    }
    return {};
  },
});

export const chunkCommands: readonly Command[] = [split, moveChunk, moveRange, mergeChunks];
