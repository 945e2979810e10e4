import type { RawDocument } from '../../bson/raw.ts';
import type { Collection } from '../../storage/collection/collection.ts';

/** Yields all documents of a collection in insertion order. */
export function* documentsOf(collection: Collection): Generator<RawDocument> {
  const records = collection.scan({ kind: 'natural', reverse: false });
  for (let record = records.next(); record !== undefined; record = records.next()) {
    collection.running.check();
    yield record.doc;
  }
}
