import { RawDocument } from '../../bson/raw.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { ClusterContext } from '../context/cluster.ts';
import type { CommandRequest } from '../context/request.ts';
import { checkCase, checkNewNamespace } from '../shared/namespace.ts';
import { collectionIn } from './view.ts';

/** Returns the collection. Creates it if it does not exist. */
export function collectionToWrite(
  { database }: CommandRequest,
  name: string,
  { store }: ClusterContext,
): Collection {
  const found = collectionIn(store, database, name);
  if (found !== undefined) return found;
  checkNewNamespace(database, name);
  checkCase(database, store);
  return store.create(database, name, RawDocument.empty);
}
