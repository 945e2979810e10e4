import { RawDocument } from '../../bson/raw.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { ClusterContext } from '../context/cluster.ts';
import { configDocument, configDocumentsOf, removeConfig } from '../shared/config-database.ts';
import { type Chunk, chunksOf } from './chunks.ts';
import { readShardKey, type ShardKey } from './shard-key.ts';

/** A sharded collection: its document in `config.collections`, and values derived from that document. */
export interface ShardedCollection {
  readonly document: RawDocument;
  readonly uuid: Value;
  readonly pattern: RawDocument;
  readonly key: ShardKey;
  readonly unique: boolean;
  readonly chunks: readonly Chunk[];
}

export function findSharded(
  cluster: Pick<ClusterContext, 'store'>,
  namespace: string,
): ShardedCollection | undefined {
  const document = configDocument(cluster.store, 'collections', namespace);
  const uuid = document?.get('uuid');
  if (document === undefined || uuid === undefined) return undefined;
  const pattern = document.document('key') ?? RawDocument.empty;
  return {
    document,
    uuid,
    pattern,
    key: readShardKey(pattern),
    unique: document.bool('unique') ?? false,
    chunks: chunksOf(cluster, uuid),
  };
}

/** Throws if the collection is not sharded. */
export function requireSharded(cluster: ClusterContext, namespace: string): ShardedCollection {
  const found = findSharded(cluster, namespace);
  if (found === undefined) throw new ServerError('NamespaceNotSharded', `${namespace} is not sharded`);
  return found;
}

/**
 * Removes the metadata of a collection that was dropped or unsharded. Must be called within `store.write`.
 */
export function forgetSharded(store: ClusterStore, namespace: string): void {
  const document = configDocument(store, 'collections', namespace);
  const [id, uuid] = [document?.get('_id'), document?.get('uuid')];
  if (id === undefined || uuid === undefined) return;
  removeConfig(store, 'collections', id);
  for (const chunk of configDocumentsOf(store, 'chunks', uuid)) {
    const chunkId = chunk.get('_id');
    if (chunkId !== undefined) removeConfig(store, 'chunks', chunkId);
  }
}
