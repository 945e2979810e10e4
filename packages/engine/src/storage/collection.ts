import { RawDocument } from '../bson/raw.ts';
import type { AccessPath } from './access.ts';
import { checkDocument, documentChecksum } from './checksum.ts';
import type { Connection } from './connection.ts';
import type { SqlValue } from './database.ts';
import { idKey } from './id-key.ts';
import { checkIndex, type IndexCheck } from './indexes/index-check.ts';
import { countDistinct, countDocuments, countKeys } from './indexes/index-count.ts';
import type { IndexDefinition } from './indexes/index-definition.ts';
import { IndexScan, type ScanFigures } from './indexes/index-scan.ts';
import { IndexSet, type PendingKeys } from './indexes/index-set.ts';
import type { KeyRange } from './indexes/range.ts';
import { Union } from './indexes/union.ts';
import { IntervalStream } from './intervals.ts';
import { keyOrder, naturalOrder } from './order.ts';
import type { StoredRecord } from './page.ts';
import type { Recorder } from './recorder.ts';
import type { RunningStatement } from './running-statement.ts';
import { type RecordStream, Scan, type ScanSource, type Use } from './scan.ts';
import { tableName } from './table-name.ts';
import type { Transaction } from './transaction.ts';

/** A row of the catalog. */
export interface CollectionRow {
  readonly number: number;
  readonly database: string;
  readonly name: string;
  /** 16 bytes. */
  readonly uuid: Uint8Array;
  /** As `listCollections` shows them. */
  readonly options: RawDocument;
  readonly documents: number;
  readonly bytes: number;
}

/** A scan meets this when its collection is gone. */
export class CollectionDropped extends Error {
  readonly collection: Collection;

  constructor(collection: Collection) {
    super(`${collection.namespace} was dropped`);
    this.name = 'CollectionDropped';
    this.collection = collection;
  }
}

/**
 * One collection: a table of rows `rid` (the order of insertion), `id_key` (the encoded `_id`, unique), `doc` (the
 * document, byte by byte as it was given) and `checksum`, that of the document. It stores what it is told; whoever
 * calls has made sure that the key is the document's.
 */
export class Collection {
  readonly number: number;
  readonly database: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  /** Changed by the catalog alone. */
  options: RawDocument;
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #touched: (collection: Collection) => void;
  readonly #recorder: Recorder<Collection> | undefined;
  readonly #indexes: IndexSet;
  /** How often documents were looked for by `_id`. */
  idUses = 0;
  protected readonly table: string;
  readonly #insertSql: string;
  #together: { readonly rows: number; readonly sql: string } | undefined;
  #documents: number;
  #bytes: number;
  #mark = -1;
  #dropped = false;

  constructor(
    row: CollectionRow,
    connection: Connection,
    transaction: Transaction,
    touched: (collection: Collection) => void,
    recorder?: Recorder<Collection>,
  ) {
    this.number = row.number;
    this.database = row.database;
    this.name = row.name;
    this.uuid = row.uuid;
    this.options = row.options;
    this.#documents = row.documents;
    this.#bytes = row.bytes;
    this.#connection = connection;
    this.#transaction = transaction;
    this.#touched = touched;
    this.#recorder = recorder;
    this.table = tableName(row.number);
    this.#insertSql = `INSERT INTO ${this.table} (id_key, checksum, doc) VALUES (?, ?, ?) ON CONFLICT (id_key) DO NOTHING`;
    this.#indexes = new IndexSet(connection, transaction, row.number, this.namespace);
  }

  /** The statement that reads it now. */
  get running(): RunningStatement {
    return this.#connection.running;
  }

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  /** How many documents there are. */
  get documents(): number {
    return this.#documents;
  }

  /** The size of all documents together. */
  get bytes(): number {
    return this.#bytes;
  }

  get dropped(): boolean {
    return this.#dropped;
  }

  set dropped(value: boolean) {
    this.#dropped = value;
  }

  /**
   * False when there is a document with this key already; nothing is changed then. Throws `DuplicateKey` when another
   * unique index has one of its keys.
   */
  insert(key: Uint8Array, doc: RawDocument): boolean {
    let pending: readonly PendingKeys[] = [];
    if (!this.#indexes.isEmpty) {
      if (this.find(key) !== undefined) return false;
      pending = this.#indexes.prepare(undefined, doc);
    }
    const bytes = doc.toBytes();
    const { changes, rid } = this.#connection.run(this.#insertSql, key, documentChecksum(bytes), bytes);
    if (changes === 0) return false;
    this.#indexes.apply(pending, rid);
    this.count(1, doc.length);
    this.#recorder?.inserted(this, [doc]);
    return true;
  }

  /**
   * Stores documents with an `_id` each in one statement. False, with nothing changed, when there is one of their keys
   * already, and where they have to be stored one by one.
   */
  insertTogether(docs: readonly RawDocument[]): boolean {
    if (!this.#indexes.isEmpty) return false;
    const values: SqlValue[] = [];
    let size = 0;
    for (const doc of docs) {
      const bytes = doc.toBytes();
      values.push(idKey(doc), documentChecksum(bytes), bytes);
      size += bytes.length;
    }
    if (!this.#connection.insert(this.#togetherSql(docs.length), values)) return false;
    this.count(docs.length, size);
    this.#recorder?.inserted(this, docs);
    return true;
  }

  #togetherSql(rows: number): string {
    if (this.#together?.rows !== rows) {
      const places = Array.from({ length: rows }, () => '(?, ?, ?)').join(', ');
      this.#together = { rows, sql: `INSERT INTO ${this.table} (id_key, checksum, doc) VALUES ${places}` };
    }
    return this.#together.sql;
  }

  find(key: Uint8Array): StoredRecord | undefined {
    this.#mustExist();
    const row = this.#connection.get<readonly [number, Uint8Array, number | null]>(
      `SELECT rid, doc, checksum FROM ${this.table} WHERE id_key = ?`,
      key,
    );
    if (row === undefined) return undefined;
    const [rid, bytes, checksum] = row;
    checkDocument(bytes, checksum, { file: this.#connection.file, table: this.table, rid });
    this.running.examined.documents++;
    return { rid, doc: new RawDocument(bytes) };
  }

  /**
   * Puts `doc`, which has the same `_id`, into the place of a record: as another document, or as the same one with
   * changes where it is told what differs. The oplog tells these apart.
   */
  replace(record: StoredRecord, doc: RawDocument, difference?: RawDocument): void {
    if (!this.#indexes.isEmpty) {
      this.#indexes.apply(this.#indexes.prepare(record.doc, doc, record.rid), record.rid);
    }
    const bytes = doc.toBytes();
    const sql = `UPDATE ${this.table} SET checksum = ?, doc = ? WHERE rid = ?`;
    this.#connection.run(sql, documentChecksum(bytes), bytes, record.rid);
    this.count(0, doc.length - record.doc.length);
    this.#recorder?.replaced(this, record.doc, doc, difference);
  }

  /** `about`: what else the oplog is to say of it. */
  remove(record: StoredRecord, about?: RawDocument): void {
    if (!this.#indexes.isEmpty) {
      this.#indexes.apply(this.#indexes.prepare(record.doc, undefined, record.rid), record.rid);
    }
    this.#connection.run(`DELETE FROM ${this.table} WHERE rid = ?`, record.rid);
    this.count(-1, -record.doc.length);
    this.#recorder?.removed(this, record.doc, about);
  }

  /** Indexes besides that of `_id`, in the order in which they were made. */
  get indexes(): readonly IndexDefinition[] {
    return this.#indexes.all;
  }

  /**
   * Makes an index of the documents there are; the specification is one that `listIndexes` may show. Throws
   * `DuplicateKey`, and what else its keys cannot be made with.
   */
  createIndex(spec: RawDocument): IndexDefinition {
    return this.#indexes.create(spec, () => this.scan({ kind: 'natural', reverse: false }));
  }

  dropIndex(index: IndexDefinition): void {
    this.#indexes.drop(index);
  }

  /** Gives an index another specification, with the same key. */
  changeIndex(index: IndexDefinition, spec: RawDocument): IndexDefinition {
    return this.#indexes.change(index, spec);
  }

  /** Keys of the index that more than one document has. */
  duplicatesIn(index: IndexDefinition): readonly Uint8Array[] {
    return this.#indexes.duplicates(index);
  }

  /** There is an index of `_id`. */
  get indexed(): boolean {
    return true;
  }

  /** No two documents have the same `_id`. */
  get identified(): boolean {
    return true;
  }

  /** Keys of indexes may be read for the values that they tell. */
  get readsKeys(): boolean {
    return true;
  }

  /** How many documents have keys of an index in these ranges; no more than `most` keys are looked at. */
  countIn(index: IndexDefinition, ranges: readonly KeyRange[], most = Number.POSITIVE_INFINITY): number {
    index.uses++;
    return countDocuments(this.source().connection, index, ranges, most);
  }

  /** How many keys lie in these ranges, and no more than `most`: cheaper where they are many. */
  estimateIn(index: IndexDefinition, ranges: readonly KeyRange[], most: number): number {
    return countKeys(this.source().connection, index, ranges, most);
  }

  /** How many different keys there are among the first `most` in these ranges. */
  distinctIn(index: IndexDefinition, ranges: readonly KeyRange[], most: number): number {
    return countDistinct(this.source().connection, index, ranges, most);
  }

  /** Compares an index with the documents. */
  checkIndex(index: IndexDefinition): IndexCheck {
    const { connection } = this.source();
    return checkIndex(connection, index, this.scan({ kind: 'natural', reverse: false }));
  }

  /**
   * Visits records along a path; `expected` is how many the caller will read, where it knows.
   */
  scan(path: AccessPath, expected?: number, figures?: ScanFigures, use?: Use): RecordStream {
    this.running.examined.path ??= path;
    const source = this.source();
    const { reverse } = path;
    if (path.kind === 'union') {
      return new Union(path.paths.map((one) => this.scan(one, expected, figures)));
    }
    if (path.kind === 'byId') this.idUses++;
    if (path.kind === 'index') {
      path.index.uses++;
      const ranges = reverse ? path.ranges.toReversed() : path.ranges;
      // Documents that change while they are visited may come again under another key.
      const once = this.#transaction.active;
      return new IndexScan(source, path.index, ranges, {
        reverse,
        once,
        expected,
        figures,
        covered: path.covered,
      });
    }
    if (path.kind === 'natural') return new Scan(source, naturalOrder(reverse), expected, use);
    if (path.intervals === undefined) {
      return new Scan(source, keyOrder(undefined, reverse), expected, use);
    }
    return new IntervalStream(
      {
        find: (key) => this.find(key),
        scan: (interval) => new Scan(source, keyOrder(interval, reverse), expected),
      },
      reverse ? path.intervals.toReversed() : path.intervals,
    );
  }

  /** Its changes are those of the past, made again one by one. */
  protected get isReplayed(): boolean {
    return this.#recorder?.replaying !== undefined;
  }

  protected source(): ScanSource {
    return { connection: this.#connection, table: this.table, check: () => this.#mustExist() };
  }

  #mustExist(): void {
    if (this.#dropped) throw new CollectionDropped(this);
  }

  protected count(documents: number, bytes: number): void {
    if (this.#mark !== this.#transaction.mark) this.#rememberCounts();
    this.#documents += documents;
    this.#bytes += bytes;
  }

  #rememberCounts(): void {
    const [documents, bytes] = [this.#documents, this.#bytes];
    this.#transaction.undoing(() => {
      this.#documents = documents;
      this.#bytes = bytes;
      this.#mark = -1;
    });
    this.#mark = this.#transaction.mark;
    this.#touched(this);
  }
}
