import type { Progress } from '@portolan/service/live-migrations';
import { type CollectionCopy, type Endpoints, namespaceOf, rawDb } from '@portolan/service/replication';

type Copied = NonNullable<Progress['copied']>;

/**
 * Estimates the number of documents in the initial copy from the source's metadata. The number does not include later
 * changes. After a restart, it also omits the documents of an incomplete collection that were already copied.
 */
export async function countCopies(
  { source }: Endpoints,
  copies: readonly CollectionCopy[],
): Promise<{ add(documents: number): Copied; all(): Copied }> {
  let [done, total] = [0, 0];
  for (const { _id, isView, copied } of copies) {
    if (isView) continue;
    const { db, coll } = namespaceOf(_id);
    const count = await rawDb(source, db).collection(coll).estimatedDocumentCount();
    total += count;
    if (copied) done += count;
  }
  return {
    add(documents) {
      done += documents;
      return { documents: Math.min(done, total), total };
    },
    all: () => ({ documents: total, total }),
  };
}
