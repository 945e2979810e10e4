import type { Collection } from '../../storage/collection.ts';

/** Sizes as the statistics tell them. Files hold pages of this size, and each collection begins on one of its own. */
const PAGE_BYTES = 8192;

/** What a key of `_id` and its place take beside the documents: 12 bytes of ObjectId, its type and the row's number. */
const KEY_BYTES = 24;

export interface Sizes {
  readonly collections: number;
  readonly objects: number;
  /** Of all documents together. */
  readonly bytes: number;
  readonly storage: number;
  readonly indexes: number;
  readonly indexBytes: number;
}

/** Sizes of some collections together; storage and index bytes are estimates. */
export function sizesOf(collections: readonly Collection[]): Sizes {
  const sum = (of: (collection: Collection) => number) =>
    collections.reduce((total, collection) => total + of(collection), 0);
  return {
    collections: collections.length,
    objects: sum(({ documents }) => documents),
    bytes: sum(({ bytes }) => bytes),
    storage: sum(({ bytes }) => inPages(bytes)),
    indexes: sum(indexCount),
    indexBytes: sum((collection) => indexCount(collection) * indexBytes(collection)),
  };
}

/** Those of keys, and that of `_id`. */
function indexCount({ indexes }: Collection): number {
  return indexes.length + 1;
}

/** What one index takes. */
export function indexBytes({ documents }: Collection): number {
  return inPages(documents * KEY_BYTES);
}

/** One page at least. */
function inPages(bytes: number): number {
  return Math.max(Math.ceil(bytes / PAGE_BYTES), 1) * PAGE_BYTES;
}
