import type { CollectionDigest } from '@portolan/engine/management';

/** How many collections and documents were compared with a snapshot and found identical. */
export interface Compared {
  readonly collections: number;
  readonly documents: number;
}

/** Returns the totals of a successful comparison. */
export function comparedWith(collections: readonly CollectionDigest[]): Compared {
  const documents = collections.reduce((sum, one) => sum + one.documents, 0);
  return { collections: collections.length, documents };
}

/** The columns that store a comparison. */
export interface ComparedColumns {
  compared_collections: number | null;
  compared_documents: number | null;
}

export function writeCompared(compared: Compared | undefined): ComparedColumns {
  return {
    compared_collections: compared?.collections ?? null,
    compared_documents: compared?.documents ?? null,
  };
}

export function readCompared({
  compared_collections: collections,
  compared_documents: documents,
}: ComparedColumns): Compared | undefined {
  return collections === null || documents === null ? undefined : { collections, documents };
}
