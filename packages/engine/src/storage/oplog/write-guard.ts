import type { RawDocument } from '../../bson/raw.ts';
import type { Collection } from '../collection/collection.ts';

/** Called before a change outside transactions is appended to the oplog; throws to prevent the change. */
export interface WriteGuard {
  /** `doc` contains the `_id`. */
  document(collection: Collection, doc: RawDocument): void;
  /** A collection is created, modified as a whole or dropped. */
  collection(collection: Collection): void;
}
