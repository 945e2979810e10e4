import type { RawDocument } from '../../bson/raw.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';

/**
 * Records a change of indexes in the oplog. Collections in `local` are not replicated, so their changes are not
 * recorded.
 */
export function noteCommand(
  collection: Collection,
  o: RawDocument,
  o2: RawDocument | undefined,
  { database }: CommandRequest,
  { store }: ClusterContext,
): void {
  if (database !== 'local') store.noteCommand(collection, o, o2);
}
