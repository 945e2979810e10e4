import type { RawDocument } from '../bson/raw.ts';

/** Who is told of every change of a collection, in the transaction of the change. */
export interface Recorder<Collection> {
  inserted(collection: Collection, doc: RawDocument): void;
  /** `whole`: another document was put in the place of the former one, rather than parts of it changed. */
  replaced(collection: Collection, before: RawDocument, after: RawDocument, whole: boolean): void;
  removed(collection: Collection, doc: RawDocument): void;
}
