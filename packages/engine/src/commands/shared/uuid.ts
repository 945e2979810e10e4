import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import { uuidBytes } from './uuid-value.ts';

/** Returns the collection of a database that has this UUID of 16 bytes. */
export function collectionWithUuid(
  store: Pick<ClusterStore, 'collections'>,
  database: string,
  uuid: Uint8Array,
): Collection | undefined {
  return store.collections(database).find((each) => Buffer.compare(each.uuid, uuid) === 0);
}

/** Throws if the collection with this name has another UUID. */
export function checkUuid(
  expected: Value | undefined,
  database: string,
  name: string,
  store: ClusterStore,
): void {
  if (expected === undefined) return;
  const uuid = uuidBytes(expected);
  const actual = collectionWithUuid(store, database, uuid);
  if (actual?.name === name) return;
  throw new ServerError('CollectionUUIDMismatch', 'Collection UUID does not match that specified', {
    db: database,
    collectionUUID: expected,
    expectedCollection: name,
    actualCollection: actual?.name ?? null,
  });
}
