import type { PlainObject } from '@portolan/foundation/plain-object';
import { encodeDocument } from '../bson/encode.ts';
import { RawDocument } from '../bson/raw.ts';
import type { ClusterStore } from '../storage/cluster-store.ts';
import { idKey } from '../storage/records/id-key.ts';

/**
 * This file reads and writes the documents in which the server stores its own settings. They are in ordinary
 * collections, and the `_id` of each is a string.
 */

export interface CollectionName {
  readonly database: string;
  readonly collection: string;
}

export function readStored(
  store: ClusterStore,
  { database, collection }: CollectionName,
  id: string,
): RawDocument | undefined {
  return store.collection(database, collection)?.find(idKey(RawDocument.from({ _id: id })))?.doc;
}

/** Returns all documents of the collection. */
export function allStored(store: ClusterStore, { database, collection }: CollectionName): RawDocument[] {
  const found = store.collection(database, collection);
  if (found === undefined) return [];
  const stream = found.scan({ kind: 'natural', reverse: false });
  const documents: RawDocument[] = [];
  for (let record = stream.next(); record !== undefined; record = stream.next()) documents.push(record.doc);
  return documents;
}

/** Inserts a document, or replaces the document with the same `_id`. Must be called within `store.write`. */
export function writeStored(
  store: ClusterStore,
  { database, collection }: CollectionName,
  id: string,
  fields: PlainObject,
): void {
  const document = new RawDocument(encodeDocument({ _id: id, ...fields }));
  const target =
    store.collection(database, collection) ?? store.create(database, collection, RawDocument.empty);
  const before = target.find(idKey(document));
  if (before === undefined) target.insert(idKey(document), document);
  else target.replace(before, document);
}

/** Removes a document. Must be called within `store.write`. */
export function removeStored(
  store: ClusterStore,
  { database, collection }: CollectionName,
  id: string,
): void {
  const target = store.collection(database, collection);
  const before = target?.find(idKey(RawDocument.from({ _id: id })));
  if (target !== undefined && before !== undefined) target.remove(before);
}
