import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import { int64 } from '../../bson/value.ts';
import { documentsOf } from '../../planner/plan.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { Range } from './chunks.ts';
import { highest, keyOf, lowest, type ShardKey } from './shard-key.ts';
import { shardsOf } from './shards.ts';

/** This file computes the ranges of the initial chunks of a sharded collection. */

export function wholeRange(key: ShardKey, shard: string): Range {
  return { min: lowest(key), max: highest(key), shard };
}

/**
 * Returns one range of hashes per shard, all of the same size. Returns a single range if the hashed field is
 * not the first field of the key.
 */
export function hashedRanges(cluster: ClusterContext, key: ShardKey): Range[] {
  const shards = shardsOf(cluster.topology);
  const [first] = [...key].filter(([, { hashed }]) => hashed).map(([name]) => name);
  const [low, high] = [lowest(key), highest(key)];
  // Ranges of hashes are ranges of keys only if the hashed field is the first field of the key.
  if (first === undefined || [...key.keys()][0] !== first) return [wholeRange(key, shards[0]?._id ?? '')];
  const step = 2n ** 64n / BigInt(shards.length);
  const at = (i: number) => ({ ...low, [first]: int64(-(2n ** 63n) + step * BigInt(i)) });
  return shards.map(({ _id }, i) => ({
    min: i === 0 ? low : at(i),
    max: i === shards.length - 1 ? high : at(i + 1),
    shard: _id,
  }));
}

/** Returns one range per shard. The ranges distribute the existing documents evenly. */
export function evenRanges(collection: Collection, key: ShardKey, cluster: ClusterContext): Range[] {
  const shards = shardsOf(cluster.topology);
  const keys = [...documentsOf(collection.scan({ kind: 'natural', reverse: false }), collection.running)]
    .map((document) => new RawDocument(encodeDocument(keyOf(key, document))))
    .sort((a, b) => Buffer.compare(idKey(wrapped(a)), idKey(wrapped(b))));
  const bounds = shards.slice(1).map((_, i) => keys[Math.floor(((i + 1) * keys.length) / shards.length)]);
  const inner = bounds.filter((bound, i) => bound !== undefined && !bounds[i - 1]?.equals(bound));
  const texts = inner.map((bound) =>
    Object.fromEntries([...(bound ?? [])].map((field) => [field.name, field])),
  );
  const edges = [lowest(key), ...texts, highest(key)];
  return edges.slice(1).map((max, i) => ({ min: edges[i] ?? max, max, shard: shards[i]?._id ?? '' }));
}

function wrapped(key: RawDocument): RawDocument {
  return new RawDocument(encodeDocument({ _id: key }));
}
