import { bsonTypes } from '../../bson/bson-types.ts';
import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { textOf, type Value } from '../../bson/value.ts';
import type { ClusterStore } from '../../storage/cluster-store.ts';
import type { Collection } from '../../storage/collection/collection.ts';
import type { IndexDefinition } from '../../storage/model/index-definition.ts';
import { NEW_INDEX, NEW_OPTIONS } from '../../storage/oplog/oplog.ts';
import { collectionAt, HistoryDiffers, type Operation, partsOf, subjectOf } from './collections.ts';

/** Replays an entry of a command, such as `renameCollection`. Such a command changes a collection as a whole. */
export function applyCommand(store: ClusterStore, operation: Operation): void {
  const name = operation.o.first()?.name ?? '';
  const apply = commands.get(name);
  if (apply === undefined) throw new HistoryDiffers(`unknown command ${name}`);
  apply(store, operation);
}

const commands: ReadonlyMap<string, (store: ClusterStore, operation: Operation) => void> = new Map([
  ['create', create],
  ['drop', (store, operation) => store.drop(subjectOf(store, operation))],
  // Do nothing. Each collection of the database has an entry of its own, and that entry drops the collection.
  ['dropDatabase', () => {}],
  ['renameCollection', rename],
  ['collMod', modify],
  ['createIndexes', (store, operation) => void subjectOf(store, operation).createIndex(indexIn(operation))],
  ['dropIndexes', dropIndex],
]);

function create(store: ClusterStore, { ns, ui, o }: Operation): void {
  const [name, ...options] = [...o];
  if (name === undefined || ui === undefined) throw new HistoryDiffers('the entry has no collection name');
  // The last field can describe the `_id` index. Every collection has this index, except if its options say otherwise.
  const own = options.at(-1)?.name === 'idIndex' ? options.slice(0, -1) : options;
  const document = writeDocument((writer) => {
    for (const option of own) writer.element(option);
  });
  store.create(partsOf(ns)[0], textOf(name), document, uuidIn(ui));
}

const UUID_BYTES = 16;

function uuidIn({ bytes, end }: Value): Uint8Array {
  return bytes.slice(end - UUID_BYTES, end);
}

function rename(store: ClusterStore, { ui, o }: Operation): void {
  const to = o.string('to') ?? '';
  const dropped = o.get('dropTarget');
  const replaced = dropped?.type === bsonTypes.binData ? collectionAt(store, to, dropped) : undefined;
  store.rename(collectionAt(store, o.string('renameCollection') ?? '', ui), partsOf(to)[1], replaced);
}

function modify(store: ClusterStore, operation: Operation): void {
  const { o, o2 } = operation;
  const collection = subjectOf(store, operation);
  const [options, index] = [o2?.document(NEW_OPTIONS), o2?.document(NEW_INDEX)];
  if (options !== undefined) store.modify(collection, owned(options), RawDocument.empty);
  else if (index !== undefined)
    collection.changeIndex(indexNamed(collection, index.string('name')), owned(index));
  else
    throw new HistoryDiffers(`the entry has no new options for ${collection.namespace}: ${o.first()?.name}`);
}

function indexIn({ o }: Operation): RawDocument {
  const [, ...options] = [...o];
  return writeDocument((writer) => {
    for (const option of options) writer.element(option);
  });
}

function dropIndex(store: ClusterStore, operation: Operation): void {
  const collection = subjectOf(store, operation);
  collection.dropIndex(indexNamed(collection, operation.o.string('index')));
}

function indexNamed(collection: Collection, name: string | undefined): IndexDefinition {
  const index = collection.indexes.find((one) => one.name === name);
  if (index === undefined) throw new HistoryDiffers(`${collection.namespace} has no index ${name}`);
  return index;
}

/** Copies the bytes, because the options of a collection outlive the entry. */
function owned(document: RawDocument): RawDocument {
  return new RawDocument(document.toBytes().slice());
}
