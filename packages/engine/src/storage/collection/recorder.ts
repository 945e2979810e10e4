import type { RawDocument } from '../../bson/raw.ts';

/** Records every change of a collection within the transaction of the change. */
export interface Recorder<Collection> {
  /**
   * Set while recorded changes are replayed. Collections then derive no changes, such as the removal of old documents
   * from capped collections, because the recorded changes include them.
   */
  readonly replaying: object | undefined;
  /** Called with the documents that one statement inserted. */
  inserted(collection: Collection, docs: readonly RawDocument[]): void;
  /** Called for a changed document. `difference` turns `before` into `after`; it is undefined for a replacement. */
  replaced(collection: Collection, before: RawDocument, after: RawDocument, difference?: RawDocument): void;
  /** Called for a removed document. `about` becomes the field `o2` of the oplog entry. */
  removed(collection: Collection, doc: RawDocument, about?: RawDocument): void;
}
