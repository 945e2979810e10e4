import type { CollectionDigest } from '@portolan/engine/management';
import type { Compared } from './rows.ts';

/** The totals of a successful comparison. */
export function comparedWith(collections: readonly CollectionDigest[]): Compared {
  const documents = collections.reduce((sum, one) => sum + one.documents, 0);
  return { collections: collections.length, documents };
}
