import { Binary } from 'bson';
import { bsonTypes } from '../../bson/bson-types.ts';
import type { Value } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import { wrongType } from './fields.ts';

/** Throws if `collectionUUID` does not match the collection of that name. */
export function checkUuid(
  expected: Value | undefined,
  database: string,
  name: string,
  store: ClusterStore,
): void {
  if (expected === undefined) return;
  const { type, bytes, start, end } = expected;
  if (type !== bsonTypes.binData || bytes[start + 4] !== Binary.SUBTYPE_UUID) {
    throw wrongType(expected, 'collectionUUID', ['binData']);
  }
  checkIsUuid(expected);
  const uuid = bytes.subarray(start + 5, end);
  const actual = store.collections(database).find((each) => Buffer.compare(each.uuid, uuid) === 0);
  if (actual?.name === name) return;
  throw new ServerError('CollectionUUIDMismatch', 'Collection UUID does not match that specified', {
    db: database,
    collectionUUID: expected,
    expectedCollection: name,
    actualCollection: actual?.name ?? null,
  });
}

/** Throws if binary data is no UUID. Its layout: length, subtype, contents. */
export function checkIsUuid({ bytes, start, end }: Value): void {
  if (bytes[start + 4] === Binary.SUBTYPE_UUID && end - start - 5 === 16) return;
  throw new ServerError('InvalidUUID', 'uuid must be a 16-byte binary field with UUID (4) subtype');
}
