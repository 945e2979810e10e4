import { steps } from '../../bson/turns.ts';
import type { Collection } from '../../storage/collection/collection.ts';

/** The page size of the file. Each collection starts on a new page, so statistics round sizes up to whole pages. */
const PAGE_BYTES = 8192;

/**
 * Estimated size of an entry in the `_id` index, in bytes: a type byte, an ObjectId of 12 bytes and the row
 * number.
 */
const KEY_BYTES = 24;

/** The cost of reading the sizes of a collection and the list of its indexes, in steps. */
const COLLECTION_STEPS = 16;

export interface Sizes {
  readonly collections: number;
  readonly objects: number;
  /** Total size of all documents, in bytes. */
  readonly bytes: number;
  readonly storage: number;
  readonly indexes: number;
  readonly indexBytes: number;
}

/** Returns the total sizes of several collections in bytes. The sizes of storage and indexes are estimates. */
export function sizesOf(collections: readonly Collection[]): Sizes {
  let [objects, bytes, storage, indexes, ofIndexes] = [0, 0, 0, 0, 0];
  for (const collection of collections) {
    steps(COLLECTION_STEPS);
    const count = indexCount(collection);
    objects += collection.documents;
    bytes += collection.bytes;
    storage += inPages(collection.bytes);
    indexes += count;
    ofIndexes += count * indexBytes(collection);
  }
  return { collections: collections.length, objects, bytes, storage, indexes, indexBytes: ofIndexes };
}

/** Returns the number of indexes including the one on `_id`. */
function indexCount({ indexes }: Collection): number {
  return indexes.length + 1;
}

/** Returns the estimated size of one index, in bytes. */
export function indexBytes({ documents }: Collection): number {
  return inPages(documents * KEY_BYTES);
}

/** Rounds up to whole pages, at least one. */
function inPages(bytes: number): number {
  return Math.max(Math.ceil(bytes / PAGE_BYTES), 1) * PAGE_BYTES;
}
