import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { falseValue, int32, string, type Value } from '../../bson/value.ts';
import type { Collection } from '../collection/collection.ts';
import type { Recorder } from '../collection/recorder.ts';
import { type Change, type EntryNamespace, keyOf, modification, uuidValue } from './entry.ts';
import { Log } from './log.ts';
import type { WriteGuard } from './write-guard.ts';

/** Properties of a collection, cached until its options change. */
interface CollectionInfo extends EntryNamespace {
  readonly options: RawDocument;
  /** True if the collection stores pre-images. */
  readonly images: boolean;
}

/** Records every change of every collection in `local.oplog.rs`, within the transaction of the change. */
export class Oplog extends Log implements Recorder<Collection> {
  /** Called before each change. Throws to prevent it. */
  guard: WriteGuard | undefined;
  readonly #infos = new WeakMap<Collection, CollectionInfo>();

  inserted(collection: Collection, docs: readonly RawDocument[]): void {
    if (this.guard !== undefined) for (const doc of docs) this.guard.document(collection, doc);
    this.appendInserts(this.#infoOf(collection), docs, collection.database, collection.name);
  }

  replaced(collection: Collection, before: RawDocument, after: RawDocument, difference?: RawDocument): void {
    const o = difference === undefined ? after : modification(difference);
    const o2 = collection.identified ? keyOf(before) : before;
    this.#record(collection, { op: 'u', namespace: this.#infoOf(collection), o, o2 }, before);
  }

  removed(collection: Collection, doc: RawDocument, about?: RawDocument): void {
    const documentKey = collection.identified ? about : doc;
    const o2 = documentKey === undefined ? {} : { o2: documentKey };
    this.#record(collection, { op: 'd', namespace: this.#infoOf(collection), o: keyOf(doc), ...o2 }, doc);
  }

  collectionCreated(collection: Collection): void {
    const o = writeDocument((writer) => {
      writer.field('create', string(collection.name));
      for (const option of collection.options) writer.element(option);
      // A clustered collection and a time series have no separate index of `_id`.
      const { options } = collection;
      if (!options.has('clusteredIndex') && !options.has('timeseries')) writer.field('idIndex', idIndex);
    });
    this.#command(collection, o);
  }

  collectionDropped(collection: Collection): void {
    const o = writeDocument((writer) => writer.field('drop', string(collection.name)));
    const o2 = writeDocument((writer) => writer.field('numRecords', int32(collection.documents)));
    this.#command(collection, o, o2);
  }

  /** Appends the entry of a rename. `replaced` is the UUID of the collection that had the new name before. */
  collectionRenamed(collection: Collection, renamed: Collection, replaced: Uint8Array | undefined): void {
    const o = writeDocument((writer) => {
      writer.field('renameCollection', string(collection.namespace));
      writer.field('to', string(renamed.namespace));
      writer.field('stayTemp', falseValue);
      writer.field('dropTarget', replaced === undefined ? falseValue : uuidValue(replaced));
    });
    this.#command(collection, o);
  }

  collectionModified(collection: Collection, change: RawDocument, before: RawDocument): void {
    const o = writeDocument((writer) => {
      writer.field('collMod', string(collection.name));
      for (const option of change) writer.element(option);
    });
    const o2 = writeDocument((writer) => {
      writer.field('collectionOptions_old', withUuid(before, collection));
      writer.field(NEW_OPTIONS, collection.options.toValue());
    });
    this.#command(collection, o, o2);
  }

  /** Appends the entry for a dropped database. Must be called after all of its collections have been dropped. */
  databaseDropped(database: string): void {
    const o = writeDocument((writer) => writer.field('dropDatabase', int32(1)));
    this.append({ op: 'c', namespace: { ns: string(`${database}.$cmd`) }, o }, database);
  }

  /** Appends a no-op entry. */
  appendNoop(message: string): void {
    this.appendNote(writeDocument((writer) => writer.field('msg', string(message))));
  }

  /** Appends a no-op entry with a document. */
  appendNote(o: RawDocument): void {
    this.append({ op: 'n', namespace: { ns: string('') }, o }, '');
  }

  /** Appends an entry for a change of a whole collection. `o` and `o2` have the server's format. */
  command(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    this.#command(collection, o, o2);
  }

  /** Appends a no-op entry about a collection. `o2` has the server's format. */
  appendCollectionNoop(collection: Collection, message: string, o2: RawDocument): void {
    const o = writeDocument((writer) => writer.field('msg', string(message)));
    this.append({ op: 'n', namespace: this.#infoOf(collection), o, o2 }, collection.database);
  }

  #command(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    this.guard?.collection(collection);
    const namespace = { ns: string(`${collection.database}.$cmd`), ui: uuidValue(collection.uuid) };
    this.append({ op: 'c', namespace, o, ...(o2 === undefined ? {} : { o2 }) }, collection.database);
  }

  #record(collection: Collection, change: Change, before?: RawDocument): void {
    this.guard?.document(collection, change.op === 'd' ? change.o : (change.o2 ?? change.o));
    const { uuid, database, name } = collection;
    const kept = before !== undefined && this.#infoOf(collection).images ? { uuid, doc: before } : undefined;
    this.append(change, database, name, kept);
  }

  #infoOf(collection: Collection): CollectionInfo {
    let known = this.#infos.get(collection);
    if (known === undefined || known.options !== collection.options) {
      const { options } = collection;
      const ns = string(collection.namespace);
      known = { ns, ui: uuidValue(collection.uuid), options, images: keepsImages(options) };
      this.#infos.set(collection, known);
    }
    return known;
  }
}

/** Returns the options of a collection in the format of `collMod` entries. */
export function withUuid(options: RawDocument, { uuid }: Collection): Value {
  const whole = writeDocument((writer) => {
    writer.field('uuid', uuidValue(uuid));
    for (const option of options) writer.element(option);
  });
  return whole.toValue();
}

/** True if collections with these options store pre-images. */
function keepsImages(options: RawDocument): boolean {
  return options.document('changeStreamPreAndPostImages')?.bool('enabled') === true;
}

/**
 * The name of the field that contains all options of a collection after a change. The request alone does not show which
 * options the change removes.
 */
export const NEW_OPTIONS = 'collectionOptions_new';
/** The name of the field that contains the specification of an index after a change. */
export const NEW_INDEX = 'indexSpec_new';

const idIndex = RawDocument.from({ v: 2, key: { _id: 1 }, name: '_id_' }).toValue();
