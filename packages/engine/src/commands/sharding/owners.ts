import { RawDocument } from '../../bson/raw.ts';
import { BUCKETS, layoutOf } from '../../storage/buckets/layout.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import { configDocument, configDocuments } from '../shared/config-database.ts';
import { chunkWith } from './chunks.ts';
import { type KeyValues, keyOf, type ShardKey } from './shard-key.ts';
import { findSharded } from './sharded.ts';

/** Determines which shard owns a document of a collection. A replica set counts as one shard with an empty name. */
export interface Owners {
  readonly shards: readonly string[];
  /** The only shard that owns documents. Undefined if there are several. */
  readonly only?: string;
  of(document: RawDocument): string;
}

export function ownersOf(store: ClusterStore, database: string, name: string): Owners {
  const shards = configDocuments(store, 'shards').map((shard) => shard.string('_id') ?? '');
  const [first = ''] = shards;
  if (shards.length === 0) return single(first, [first]);
  const series = name.startsWith(BUCKETS) ? name.slice(BUCKETS.length) : undefined;
  const spread = findSharded({ store }, `${database}.${series ?? name}`);
  const primary = configDocument(store, 'databases', database)?.string('primary') ?? first;
  if (spread === undefined) return single(primary, shards);
  const { key, chunks } = spread;
  const bucketKey = series === undefined ? undefined : keyOfBuckets(key, store, database, series);
  const keyed = (document: RawDocument): KeyValues => {
    if (bucketKey === undefined) return keyOf(key, document);
    const values = Object.values(keyOf(bucketKey, document));
    return Object.fromEntries([...key.keys()].map((path, i) => [path, values[i] as KeyValues[string]]));
  };
  return { shards, of: (document) => chunkWith(chunks, keyed(document)).shard };
}

const single = (only: string, shards: readonly string[]): Owners => ({ shards, only, of: () => only });

/**
 * Converts the shard key of a time series to the corresponding fields of its buckets. For the timeField, this is the
 * earliest time in the bucket. So if the times of a bucket are in several ranges, the first range determines its shard.
 */
function keyOfBuckets(key: ShardKey, store: ClusterStore, database: string, series: string): ShardKey {
  const options = store.collection(database, series)?.options.document('timeseries') ?? RawDocument.empty;
  const { timeField, metaField } = layoutOf(options);
  const inBucket = (path: string) => {
    const [first, ...rest] = path.split('.');
    if (first === metaField) return ['meta', ...rest].join('.');
    return first === timeField ? `control.min.${path}` : path;
  };
  return new Map([...key].map(([path, how]) => [inBucket(path), how]));
}
