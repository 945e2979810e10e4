import { systemRandom } from '@portolan/foundation/random';
import { secretBox } from '@portolan/foundation/secret-box';
import type { CollectionDigest, SnapshotEnd } from '../interface/snapshot.ts';

const CONTEXT = 'collections of a snapshot';

/** Encrypts the digests, because the names of collections are as secret as their content. */
export function sealDigests(collections: readonly CollectionDigest[], key: Uint8Array): SnapshotEnd {
  const sealed = secretBox(key, systemRandom()).seal(JSON.stringify(collections), CONTEXT);
  return { collections: [], sealed: Buffer.from(sealed).toString('base64') };
}

export function unsealDigests({ sealed = '' }: SnapshotEnd, key: Uint8Array): readonly CollectionDigest[] {
  try {
    const text = secretBox(key, systemRandom()).open(Buffer.from(sealed, 'base64'), CONTEXT);
    return JSON.parse(text.toString());
  } catch {
    throw new Error('the snapshot cannot be read with its key');
  }
}
