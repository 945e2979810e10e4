import type { RawDocument } from '../bson/raw.ts';

/** Who is told of every change of a collection, in the transaction of the change. */
export interface Recorder<Collection> {
  inserted(collection: Collection, doc: RawDocument): void;
  /** `asReplacement`: another document took the place of the former one, rather than parts of it changed. */
  replaced(collection: Collection, before: RawDocument, after: RawDocument, asReplacement: boolean): void;
  removed(collection: Collection, doc: RawDocument): void;
}
