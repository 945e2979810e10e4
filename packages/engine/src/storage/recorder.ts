import type { RawDocument } from '../bson/raw.ts';

/** Who is told of every change of a collection, in the transaction of the change. */
export interface Recorder<Collection> {
  /** Set while changes are made again that were recorded before, all that came of them included. */
  readonly replaying: object | undefined;
  /** In one statement. */
  inserted(collection: Collection, docs: readonly RawDocument[]): void;
  /** `difference` leads from `before` to `after`; without it another document took the place of the former one. */
  replaced(collection: Collection, before: RawDocument, after: RawDocument, difference?: RawDocument): void;
  /** `about`: what else the oplog is to say of it. */
  removed(collection: Collection, doc: RawDocument, about?: RawDocument): void;
}
