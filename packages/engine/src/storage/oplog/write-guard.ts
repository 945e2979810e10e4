import type { RawDocument } from '../../bson/raw.ts';
import type { Collection } from '../collection/collection.ts';

/** Called before the oplog records a change outside a transaction. Throws to prevent the change. */
export interface WriteGuard {
  /** Called for a change of a document. `doc` contains the `_id`. */
  document(collection: Collection, doc: RawDocument): void;
  /** Called when a collection is created, modified as a whole or dropped. */
  collection(collection: Collection): void;
}
