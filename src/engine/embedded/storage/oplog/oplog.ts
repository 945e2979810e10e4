import { bsonTypes } from '../../language/bson-types.ts';
import { writeDocument } from '../../language/document-writer.ts';
import { RawDocument } from '../../language/raw.ts';
import { int32, string, textOf } from '../../language/value.ts';
import { ServerError } from '../../server-error.ts';
import type { AccessPath } from '../access.ts';
import { Collection, type CollectionRow, tableName } from '../collection.ts';
import type { Connection } from '../connection.ts';
import { naturalOrder } from '../order.ts';
import type { StoredRecord } from '../page.ts';
import type { Recorder } from '../recorder.ts';
import { type RecordStream, Scan } from '../scan.ts';
import type { Transaction } from '../transaction.ts';
import {
  type Change,
  encodeEntry,
  keyOf,
  modification,
  type Origin,
  type Place,
  uuidValue,
} from './entry.ts';
import { oplogOrder } from './path.ts';
import { nextPosition } from './time.ts';

export const OPLOG = { database: 'local', name: 'oplog.rs' } as const;

/** What entries say of the replica set when they are made. */
export interface OplogSource {
  /** Milliseconds since the epoch, in service time. */
  now(): number;
  term(): number;
}

/** Kept where nobody says otherwise: 128 MiB. */
export const OPLOG_BYTES = 128 * 1024 * 1024;
/** What the first entry of all says. */
export const BEGINNING = 'initiating set';
/** Rows that are removed at once. */
const TRIM_ROWS = 1_000;

/**
 * Every change of every collection, in order, in the transaction of the change: `local.oplog.rs`. Its row ids are
 * the times of its entries. The oldest entries go when it grows beyond its size.
 */
export class Oplog extends Collection implements Recorder {
  /** The statement that is run, where it could come a second time. */
  origin: Origin | undefined;
  limit = OPLOG_BYTES;
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #source: OplogSource;
  readonly #places = new WeakMap<Collection, Place>();
  readonly #insertSql: string;
  #last: number;
  #mark = -1;

  constructor(
    row: CollectionRow,
    connection: Connection,
    transaction: Transaction,
    touched: (collection: Collection) => void,
    source: OplogSource,
  ) {
    super(row, connection, transaction, touched);
    this.#connection = connection;
    this.#transaction = transaction;
    this.#source = source;
    this.#insertSql = `INSERT INTO ${this.table} (rid, doc) VALUES (?, ?)`;
    this.#last = connection.get<[number | null]>(`SELECT max(rid) FROM ${this.table}`)?.[0] ?? 0;
  }

  static readonly options = RawDocument.from({ capped: true, size: OPLOG_BYTES, autoIndexId: false });

  static createTable(connection: Connection, number: number): void {
    connection.exec(`CREATE TABLE ${tableName(number)} (rid INTEGER PRIMARY KEY, doc BLOB NOT NULL) STRICT`);
  }

  /** The position of the newest entry. */
  get last(): number {
    return this.#last;
  }

  /** The position of the oldest entry. */
  get first(): number {
    return this.#connection.get<[number | null]>(`SELECT min(rid) FROM ${this.table}`)?.[0] ?? 0;
  }

  /** No entry has gone yet. */
  get isWhole(): boolean {
    const doc = this.#connection.get<[Uint8Array]>(`SELECT doc FROM ${this.table} ORDER BY rid LIMIT 1`)?.[0];
    const message = doc && new RawDocument(doc).document('o')?.get('msg');
    return message?.type === bsonTypes.string && textOf(message) === BEGINNING;
  }

  inserted(collection: Collection, doc: RawDocument): void {
    this.#append({ op: 'i', place: this.#placeOf(collection), o: doc, o2: keyOf(doc) });
  }

  replaced(collection: Collection, before: RawDocument, after: RawDocument, whole: boolean): void {
    const o = whole ? after : modification(before, after);
    this.#append({ op: 'u', place: this.#placeOf(collection), o, o2: keyOf(before) });
  }

  removed(collection: Collection, doc: RawDocument): void {
    this.#append({ op: 'd', place: this.#placeOf(collection), o: keyOf(doc) });
  }

  collectionCreated(collection: Collection): void {
    const o = writeDocument((writer) => {
      writer.field('create', string(collection.name));
      for (const option of collection.options) writer.element(option);
      writer.field('idIndex', idIndex);
    });
    this.#append({ op: 'c', place: this.#commandPlace(collection), o });
  }

  collectionDropped(collection: Collection): void {
    const o = writeDocument((writer) => writer.field('drop', string(collection.name)));
    const o2 = writeDocument((writer) => writer.field('numRecords', int32(collection.documents)));
    this.#append({ op: 'c', place: this.#commandPlace(collection), o, o2 });
  }

  /** All collections of a database have gone. */
  databaseDropped(database: string): void {
    const o = writeDocument((writer) => writer.field('dropDatabase', int32(1)));
    this.#append({ op: 'c', place: { ns: string(`${database}.$cmd`) }, o });
  }

  /** An entry that changes nothing. */
  note(message: string): void {
    const o = writeDocument((writer) => writer.field('msg', string(message)));
    this.#append({ op: 'n', place: { ns: string('') }, o });
  }

  /** Part of each commit: lets the oldest entries go. */
  trim(): void {
    while (this.bytes > this.limit && this.documents > 1) {
      const rows = this.#connection.all<[number, number]>(
        `SELECT rid, octet_length(doc) FROM ${this.table} WHERE rid < ? ORDER BY rid LIMIT ${TRIM_ROWS}`,
        this.#last,
      );
      const going: typeof rows = [];
      let bytes = 0;
      for (const row of rows) {
        if (this.bytes - bytes <= this.limit) break;
        bytes += row[1];
        going.push(row);
      }
      this.#connection.run(`DELETE FROM ${this.table} WHERE rid <= ?`, going.at(-1)?.[0] ?? 0);
      this.count(-going.length, -bytes);
    }
  }

  override get indexed(): boolean {
    return false;
  }

  override scan(path: AccessPath, expected?: number): RecordStream {
    const source = { connection: this.#connection, table: this.table, check: () => {} };
    return new Scan(source, oplogOrder(path), expected);
  }

  /** Entries from a position on. */
  scanFrom(position: number): RecordStream {
    const source = { connection: this.#connection, table: this.table, check: () => {} };
    return new Scan(source, naturalOrder(false, { value: position, inclusive: true }));
  }

  override insert(): never {
    throw notWritable();
  }

  override find(): undefined {
    return undefined;
  }

  override replace(): never {
    throw notWritable();
  }

  override remove(_record: StoredRecord): never {
    throw notWritable();
  }

  #append(change: Change): void {
    const wall = this.#source.now();
    const position = nextPosition(this.#last, wall);
    const entry = encodeEntry(change, { position, term: this.#source.term(), wall }, this.origin);
    this.#connection.run(this.#insertSql, position, entry.toBytes());
    this.#remember();
    this.#last = position;
    this.count(1, entry.length);
  }

  #remember(): void {
    if (this.#mark === this.#transaction.mark) return;
    const last = this.#last;
    this.#transaction.undoing(() => {
      this.#last = last;
      this.#mark = -1;
    });
    this.#mark = this.#transaction.mark;
  }

  #placeOf(collection: Collection): Place {
    let place = this.#places.get(collection);
    if (place === undefined) {
      place = { ns: string(collection.namespace), ui: uuidValue(collection.uuid) };
      this.#places.set(collection, place);
    }
    return place;
  }

  #commandPlace(collection: Collection): Place {
    return { ns: string(`${collection.database}.$cmd`), ui: uuidValue(collection.uuid) };
  }
}

const idIndex = RawDocument.from({ v: 2, key: { _id: 1 }, name: '_id_' }).toValue();

function notWritable(): ServerError {
  return new ServerError('InvalidNamespace', `cannot write to ${OPLOG.database}.${OPLOG.name}`);
}
