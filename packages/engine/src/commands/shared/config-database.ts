import type { PlainObject } from '@portolan/foundation/plain-object';
import { Binary } from 'bson';
import { encodeDocument } from '../../bson/encode.ts';
import { encodeKey } from '../../bson/keys.ts';
import { RawDocument } from '../../bson/raw.ts';
import { string, type Value } from '../../bson/value.ts';
import { documentsOf } from '../../planner/plan.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { IndexDefinition } from '../../storage/model/index-definition.ts';
import { keysWithin } from '../../storage/model/range.ts';
import { idKey } from '../../storage/records/id-key.ts';
import type { ClusterRandom } from '../context/cluster.ts';

/**
 * The collections of metadata, most of them of sharded clusters. They are ordinary collections of the database `config` in the server's
 * format, because tools read them.
 */
export type ConfigName =
  | 'shards'
  | 'databases'
  | 'collections'
  | 'chunks'
  | 'tags'
  | 'settings'
  | 'version'
  | 'queryAnalyzers';

const CONFIG = 'config';

export function configDocuments(store: ClusterStore, name: ConfigName): RawDocument[] {
  const collection = store.collection(CONFIG, name);
  if (collection === undefined) return [];
  return [...documentsOf(collection.scan({ kind: 'natural', reverse: false }), collection.running)];
}

/** The indexes of metadata collections, as on the server. Queries for one sharded collection use them. */
const indexKeys: { readonly [name in ConfigName]?: { readonly [field: string]: 1 } } = {
  chunks: { uuid: 1, min: 1 },
  tags: { ns: 1, min: 1 },
};

function indexOf(collection: Collection, name: ConfigName): IndexDefinition | undefined {
  const key = indexKeys[name];
  if (key === undefined) return undefined;
  const wanted = RawDocument.from(key);
  // Do not use indexes that users have created with this key and other options. A sparse or partial index lacks
  // documents, and an index with a collation has another order.
  return collection.indexes.find(
    (index) =>
      index.key.equals(wanted) && !index.collated && !index.sparse && index.partialFilter === undefined,
  );
}

/**
 * Returns the documents that have this value in the first field of the index (`uuid` or `ns`). If the index exists,
 * the documents are in its order.
 */
export function configDocumentsOf(store: ClusterStore, name: 'chunks' | 'tags', value: Value): RawDocument[] {
  const collection = store.collection(CONFIG, name);
  if (collection === undefined) return [];
  const key = encodeKey(value);
  const index = indexOf(collection, name);
  if (index !== undefined) {
    const ranges = [keysWithin(key, 1)];
    return [...documentsOf(collection.scan({ kind: 'index', index, ranges, reverse: false }), store.running)];
  }
  // Clusters of earlier versions have no index until the next change of the collection creates it.
  const [field = ''] = Object.keys(indexKeys[name] ?? {});
  return configDocuments(store, name).filter((document) => {
    const own = document.get(field);
    return own !== undefined && Buffer.compare(encodeKey(own), key) === 0;
  });
}

export function configDocument(store: ClusterStore, name: ConfigName, id: string): RawDocument | undefined {
  return store.collection(CONFIG, name)?.find(encodeKey(string(id)))?.doc;
}

/** Inserts a document, or replaces the document with the same `_id`. Must be called within `store.write`. */
export function saveConfig(store: ClusterStore, name: ConfigName, document: PlainObject): void {
  const collection = store.collection(CONFIG, name) ?? store.create(CONFIG, name, RawDocument.empty);
  ensureIndex(collection, name);
  const saved = new RawDocument(encodeDocument(document));
  const before = collection.find(idKey(saved));
  if (before === undefined) collection.insert(idKey(saved), saved);
  else if (!before.doc.equals(saved)) collection.replace(before, saved);
}

function ensureIndex(collection: Collection, name: ConfigName): void {
  const key = indexKeys[name];
  if (key === undefined || indexOf(collection, name) !== undefined) return;
  const indexName = Object.keys(key)
    .map((field) => `${field}_1`)
    .join('_');
  if (collection.indexes.some((index) => index.name === indexName)) return;
  collection.createIndex(RawDocument.from({ v: 2, key, name: indexName }));
}

/** Removes a document. Must be called within `store.write`. */
export function removeConfig(store: ClusterStore, name: ConfigName, id: Value): void {
  const collection = store.collection(CONFIG, name);
  const record = collection?.find(encodeKey(id));
  if (record !== undefined) collection?.remove(record);
}

/** Returns the fields of a document as an object, which the caller can change and save. */
export function fieldsOf(document: RawDocument): Record<string, unknown> {
  return Object.fromEntries([...document].map((field) => [field.name, field]));
}

/** Creates a version 4 UUID. Its parts are ids that are unique in the cluster, so that the UUID is unique as well. */
export function newUuid({ newId }: ClusterRandom): Binary {
  const [first, second] = [newId(), newId()];
  const bytes = new Uint8Array(16);
  bytes.set(first.bytes.subarray(first.start, first.end));
  bytes.set(second.bytes.subarray(second.end - 4, second.end), 12);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return new Binary(bytes, Binary.SUBTYPE_UUID);
}
