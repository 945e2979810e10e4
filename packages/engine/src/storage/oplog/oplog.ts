import { writeDocument } from '../../bson/document-writer.ts';
import { RawDocument } from '../../bson/raw.ts';
import { falseValue, int32, string, type Value } from '../../bson/value.ts';
import type { Collection } from '../collection/collection.ts';
import type { Recorder } from '../collection/recorder.ts';
import { type Change, keyOf, modification, type Place, uuidValue } from './entry.ts';
import { Log } from './log.ts';
import type { WriteGuard } from './write-guard.ts';

/** What is known of a collection while it has these options. */
interface Known extends Place {
  readonly options: RawDocument;
  /** Documents are kept as they were before a change. */
  readonly images: boolean;
}

/** Every change of every collection, in order, in the transaction of the change: `local.oplog.rs`. */
export class Oplog extends Log implements Recorder<Collection> {
  /** Asked before each change; throws what keeps it from being made. */
  guard: WriteGuard | undefined;
  readonly #places = new WeakMap<Collection, Known>();

  inserted(collection: Collection, docs: readonly RawDocument[]): void {
    if (this.guard !== undefined) for (const doc of docs) this.guard.document(collection, doc);
    this.appendInserts(this.#placeOf(collection), docs, collection.database, collection.name);
  }

  replaced(collection: Collection, before: RawDocument, after: RawDocument, difference?: RawDocument): void {
    const o = difference === undefined ? after : modification(difference);
    const o2 = collection.identified ? keyOf(before) : before;
    this.#record(collection, { op: 'u', place: this.#placeOf(collection), o, o2 }, before);
  }

  removed(collection: Collection, doc: RawDocument, about?: RawDocument): void {
    const told = collection.identified ? about : doc;
    const o2 = told === undefined ? {} : { o2: told };
    this.#record(collection, { op: 'd', place: this.#placeOf(collection), o: keyOf(doc), ...o2 }, doc);
  }

  collectionCreated(collection: Collection): void {
    const o = writeDocument((writer) => {
      writer.field('create', string(collection.name));
      for (const option of collection.options) writer.element(option);
      writer.field('idIndex', idIndex);
    });
    this.#command(collection, o);
  }

  collectionDropped(collection: Collection): void {
    const o = writeDocument((writer) => writer.field('drop', string(collection.name)));
    const o2 = writeDocument((writer) => writer.field('numRecords', int32(collection.documents)));
    this.#command(collection, o, o2);
  }

  /** `replaced` is the unique id of the collection that had the name before. */
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

  /** All collections of a database have gone. */
  databaseDropped(database: string): void {
    const o = writeDocument((writer) => writer.field('dropDatabase', int32(1)));
    this.append({ op: 'c', place: { ns: string(`${database}.$cmd`) }, o }, database);
  }

  /** An entry that changes nothing. */
  note(message: string): void {
    const o = writeDocument((writer) => writer.field('msg', string(message)));
    this.append({ op: 'n', place: { ns: string('') }, o }, '');
  }

  /** A collection was changed as a whole; `o` and `o2` are as the server has them. */
  command(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    this.#command(collection, o, o2);
  }

  /** Something that changes no data but is told: `o2` says what, as the server has it. */
  told(collection: Collection, message: string, o2: RawDocument): void {
    const o = writeDocument((writer) => writer.field('msg', string(message)));
    this.append({ op: 'n', place: this.#placeOf(collection), o, o2 }, collection.database);
  }

  #command(collection: Collection, o: RawDocument, o2?: RawDocument): void {
    this.guard?.collection(collection);
    const place = { ns: string(`${collection.database}.$cmd`), ui: uuidValue(collection.uuid) };
    this.append({ op: 'c', place, o, ...(o2 === undefined ? {} : { o2 }) }, collection.database);
  }

  #record(collection: Collection, change: Change, before?: RawDocument): void {
    this.guard?.document(collection, change.op === 'd' ? change.o : (change.o2 ?? change.o));
    const { uuid, database, name } = collection;
    const kept = before !== undefined && this.#placeOf(collection).images ? { uuid, doc: before } : undefined;
    this.append(change, database, name, kept);
  }

  #placeOf(collection: Collection): Known {
    let known = this.#places.get(collection);
    if (known === undefined || known.options !== collection.options) {
      const { options } = collection;
      const ns = string(collection.namespace);
      known = { ns, ui: uuidValue(collection.uuid), options, images: keepsImages(options) };
      this.#places.set(collection, known);
    }
    return known;
  }
}

/** Options of a collection as the oplog tells them where they are changed. */
export function withUuid(options: RawDocument, { uuid }: Collection): Value {
  const whole = writeDocument((writer) => {
    writer.field('uuid', uuidValue(uuid));
    for (const option of options) writer.element(option);
  });
  return whole.toValue();
}

/** Whether a collection with these options keeps documents as they were before a change. */
function keepsImages(options: RawDocument): boolean {
  return options.document('changeStreamPreAndPostImages')?.bool('enabled') === true;
}

/** What a change has made of the options of a collection: the request alone does not tell which have gone. */
export const NEW_OPTIONS = 'collectionOptions_new';
/** The same of an index. */
export const NEW_INDEX = 'indexSpec_new';

const idIndex = RawDocument.from({ v: 2, key: { _id: 1 }, name: '_id_' }).toValue();
