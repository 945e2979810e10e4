import type { RawDocument } from '../../bson/raw.ts';

/** Records every change of a collection, in the transaction of the change. */
export interface Recorder<Collection> {
  /** Set during a replay of recorded changes, which include their consequences such as capped removals. */
  readonly replaying: object | undefined;
  /** Documents inserted by one statement. */
  inserted(collection: Collection, docs: readonly RawDocument[]): void;
  /** `difference` leads from `before` to `after`; undefined: the whole document was replaced. */
  replaced(collection: Collection, before: RawDocument, after: RawDocument, difference?: RawDocument): void;
  /** `about`: the `o2` of the oplog entry. */
  removed(collection: Collection, doc: RawDocument, about?: RawDocument): void;
}
