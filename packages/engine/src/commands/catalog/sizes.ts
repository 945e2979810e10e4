import type { Collection } from '../../storage/collection/collection.ts';

/** Sizes in statistics. The file consists of pages of this size, and each collection starts on a page of its own. */
const PAGE_BYTES = 8192;

/** Bytes of a key of `_id` and its row number: 12 bytes of ObjectId, its type and the row number. */
const KEY_BYTES = 24;

export interface Sizes {
  readonly collections: number;
  readonly objects: number;
  /** Total size of all documents. */
  readonly bytes: number;
  readonly storage: number;
  readonly indexes: number;
  readonly indexBytes: number;
}

/** Total sizes of several collections; storage and index bytes are estimates. */
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

/** Secondary indexes and the one on `_id`. */
function indexCount({ indexes }: Collection): number {
  return indexes.length + 1;
}

/** Estimated bytes of one index. */
export function indexBytes({ documents }: Collection): number {
  return inPages(documents * KEY_BYTES);
}

/** Rounds up to whole pages, at least one. */
function inPages(bytes: number): number {
  return Math.max(Math.ceil(bytes / PAGE_BYTES), 1) * PAGE_BYTES;
}
