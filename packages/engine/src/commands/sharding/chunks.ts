import type { Binary } from 'bson';
import { RawDocument } from '../../bson/raw.ts';
import { timestamp, type Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import { timestampAt } from '../../storage/oplog/time.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configDocumentsOf, removeConfig, saveConfig } from '../shared/config-database.ts';
import { compareKeys, type KeyValues } from './shard-key.ts';

/** A chunk: a range of shard keys, in which `max` is exclusive, and its shard. */
export interface Chunk {
  readonly id: Value;
  readonly min: KeyValues;
  readonly max: KeyValues;
  readonly shard: string;
  /** The major version in the upper 32 bits, and the minor version in the lower 32 bits. */
  readonly version: bigint;
}

/** Returns the chunks of a collection in key order. */
export function chunksOf({ store }: Pick<ClusterContext, 'store'>, uuid: Value): Chunk[] {
  const chunks = configDocumentsOf(store, 'chunks', uuid);
  return chunks.map(readChunk).sort((a, b) => compareKeys(a.min, b.min));
}

function readChunk(document: RawDocument): Chunk {
  const id = document.get('_id');
  const version = document.get('lastmod');
  if (id === undefined || version === undefined) throw new ServerError('InternalError', 'a chunk is damaged');
  return {
    id,
    min: valuesOf(document.document('min')),
    max: valuesOf(document.document('max')),
    shard: document.string('shard') ?? '',
    version: Buffer.from(version.bytes.buffer, version.bytes.byteOffset).readBigUInt64LE(version.start),
  };
}

function valuesOf(document: RawDocument = RawDocument.empty): KeyValues {
  return Object.fromEntries([...document].map((field) => [field.name, field]));
}

/** Returns the chunk that contains a key. The chunks must be in key order. */
function chunkAt(chunks: readonly Chunk[], key: KeyValues): Chunk | undefined {
  let [from, to] = [0, chunks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareKeys((chunks[middle] as Chunk).max, key) <= 0) from = middle + 1;
    else to = middle;
  }
  const found = chunks[from];
  return found !== undefined && compareKeys(found.min, key) <= 0 ? found : undefined;
}

export function chunkWith(chunks: readonly Chunk[], key: KeyValues): Chunk {
  const found = chunkAt(chunks, key);
  if (found === undefined) throw new ServerError('InternalError', 'no chunk holds the key');
  return found;
}

export type Range = Pick<Chunk, 'min' | 'max' | 'shard'>;

/** All chunks of a collection, the chunks that are replaced, and the ranges that replace them. */
interface Replacement {
  readonly all: readonly Chunk[];
  readonly old: readonly Chunk[];
  readonly replacements: readonly Range[];
}

/**
 * Replaces chunks by new ranges. The new chunks get higher versions than all existing chunks. The major version
 * increases if a range moves to another shard. Must be called within `store.write`.
 */
export function replaceChunks(
  cluster: ClusterContext,
  uuid: Value | Binary,
  { all, old, replacements }: Replacement,
): void {
  const { store, random } = cluster;
  const newest = all.reduce((most, { version }) => (version > most ? version : most), 0n);
  const moved = replacements.some(({ min, shard }) => chunkAt(old, min)?.shard !== shard);
  const [major, minor] = [Number(newest >> 32n), Number(newest & 0xffffffffn)];
  for (const { id } of old) removeConfig(store, 'chunks', id);
  const since = timestampAt(store.oplog.last);
  for (const [i, { min, max, shard }] of replacements.entries()) {
    saveConfig(store, 'chunks', {
      _id: random.newId(),
      uuid,
      min,
      max,
      shard,
      lastmod: moved ? timestamp(major + 1, i) : timestamp(Math.max(major, 1), minor + 1 + i),
      onCurrentShardSince: since,
      history: [{ validAfter: since, shard }],
    });
  }
}
