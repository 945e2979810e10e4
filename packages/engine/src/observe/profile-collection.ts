import type { Random } from '@portolan/foundation/random';
import { RawDocument } from '../bson/raw.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { idKey } from '../storage/records/id-key.ts';

const NAME = 'system.profile';
const SIZE = 1024 * 1024;
const KEY_BYTES = 16;

/**
 * Stores a profiler entry. Must be called in a transaction. As on the server, the entry has no `_id`, so its key is
 * random.
 */
export function saveProfile(
  store: ClusterStore,
  database: string,
  document: RawDocument,
  random: Pick<Random, 'bytes'>,
): void {
  const options = RawDocument.from({ capped: true, size: SIZE });
  const collection = store.collection(database, NAME) ?? store.create(database, NAME, options);
  collection.insert(idKey(RawDocument.from({ _id: random.bytes(KEY_BYTES).toString('hex') })), document);
}
