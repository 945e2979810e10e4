import type { PlainObject } from '@portolan/foundation/plain-object';
import { encodeDocument } from '../../bson/encode.ts';
import { RawDocument } from '../../bson/raw.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';

/** Records a new or changed shard key in the oplog, for change streams. */
export function logShardKeyChange(
  { store }: ClusterContext,
  operation: 'shardCollection' | 'refineCollectionShardKey' | 'reshardCollection',
  collection: Collection,
  description: PlainObject,
): void {
  const { namespace } = collection;
  const o2 = encodeDocument({ [operation]: namespace, ...description });
  store.oplog.appendCollectionNoop(collection, `${operation} ${namespace}`, new RawDocument(o2));
}
