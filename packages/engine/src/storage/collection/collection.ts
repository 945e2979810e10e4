import { RawDocument } from '../../bson/raw.ts';
import { checkDocument, documentChecksum } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../file/database.ts';
import { tableName } from '../file/table-name.ts';
import type { Transaction } from '../file/transaction.ts';
import { ID_NAME, uniqueIdSpec } from '../indexes/id-uniqueness.ts';
import { checkIndex, type IndexCheck } from '../indexes/index-check.ts';
import { countDistinct, countDocuments, countKeys } from '../indexes/index-count.ts';
import { IndexScan, type ScanFigures } from '../indexes/index-scan.ts';
import { IndexSet, type PendingKeys } from '../indexes/index-set.ts';
import type { AccessPath } from '../model/access-path.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { metaPaths } from '../model/meta-paths.ts';
import type { KeyRange } from '../model/range.ts';
import type { RunningStatement } from '../model/running-statement.ts';
import { idKey } from '../records/id-key.ts';
import { IntervalStream } from '../records/intervals.ts';
import { FIRST_ROWS, Merge } from '../records/merge.ts';
import { keyOrder, naturalOrder } from '../records/order.ts';
import type { StoredRecord } from '../records/page.ts';
import { type RecordStream, Scan, type ScanSource, type Use } from '../records/scan.ts';
import { Union } from '../records/union.ts';
import { CollectionDropped } from './dropped.ts';
import type { Recorder } from './recorder.ts';

/** The columns that change with the documents of a collection. */
export interface Counts {
  readonly documents: number;
  readonly bytes: number;
  /** Only for the oplog: the position of the newest entry that the counts include. Null if they include all entries. */
  readonly counted?: number | null;
}

/** A row of the table of collections. */
export interface CollectionRow extends Counts {
  readonly number: number;
  readonly database: string;
  readonly name: string;
  /** A UUID of 16 bytes. */
  readonly uuid: Uint8Array;
  /** The options in the format of `listCollections`. */
  readonly options: RawDocument;
}

/**
 * A collection, stored as a table. Its columns are `rid` (in insertion order), `id_key` (the encoded `_id`, unique),
 * `doc` (the document as inserted, byte for byte) and `checksum` (of the document). A `key` that callers pass must be
 * the encoded `_id` of the document.
 */
export class Collection {
  readonly number: number;
  readonly database: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  /** Changed only by the catalog. */
  options: RawDocument;
  readonly #connection: Connection;
  readonly #transaction: Transaction;
  readonly #touched: (collection: Collection) => void;
  readonly #recorder: Recorder<Collection> | undefined;
  readonly #indexes: IndexSet;
  /** Number of times that queries have used the `_id` index. */
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
    const series = row.options.document('timeseries');
    // A time series can index only the minimum and the maximum of measurements.
    const mayHaveArrays = series && metaPaths(series);
    this.#indexes = new IndexSet(connection, transaction, row.number, this.namespace, mayHaveArrays);
  }

  /** The statement that is running on this connection. */
  get running(): RunningStatement {
    return this.#connection.running;
  }

  get namespace(): string {
    return `${this.database}.${this.name}`;
  }

  /** Number of documents. */
  get documents(): number {
    return this.#documents;
  }

  /** Total size of the documents in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The counts for the row of the collection. */
  get counts(): Counts {
    return this;
  }

  get dropped(): boolean {
    return this.#dropped;
  }

  set dropped(value: boolean) {
    this.#dropped = value;
  }

  /**
   * Inserts a document. If a document with this `_id` exists, changes nothing and returns false. Throws `DuplicateKey`
   * for a duplicate in another unique index.
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
   * Inserts several documents in one SQL statement. If a document with one of the `_id` values exists, or if indexes
   * require inserting one by one, changes nothing and returns false.
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
   * Replaces the document of a record; `doc` must have the same `_id`. The oplog records an update if `difference` is
   * given, otherwise a replacement.
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

  /** Removes the document of a record. `about` becomes the field `o2` of the oplog entry. */
  remove(record: StoredRecord, about?: RawDocument): void {
    if (!this.#indexes.isEmpty) {
      this.#indexes.apply(this.#indexes.prepare(record.doc, undefined, record.rid), record.rid);
    }
    this.#connection.run(`DELETE FROM ${this.table} WHERE rid = ?`, record.rid);
    this.count(-1, -record.doc.length);
    this.#recorder?.removed(this, record.doc, about);
  }

  /** The indexes other than `_id`, in the order of creation. */
  get indexes(): readonly IndexDefinition[] {
    return this.#indexes.shown;
  }

  /** The indexes whose keys change with the documents: `indexes` and the internal index on `_id`. */
  get keptIndexes(): readonly IndexDefinition[] {
    return this.#indexes.all;
  }

  /** True if the collection needs the internal index on `_id` and lacks it, as in files of earlier versions. */
  get lacksUniqueId(): boolean {
    const needed = this.identified && uniqueIdSpec(this.options) !== undefined;
    return needed && !this.#indexes.all.some(({ name }) => name === ID_NAME);
  }

  /** Builds the internal index on `_id` if it is needed. Existing documents may be equal under the collation. */
  createUniqueId(): void {
    const spec = this.lacksUniqueId ? uniqueIdSpec(this.options) : undefined;
    if (spec === undefined) return;
    this.#indexes.build(spec, this.#documents, () => this.scan({ kind: 'natural', reverse: false }), true)();
  }

  /**
   * Builds an index over the existing documents. `spec` has the format of `listIndexes`. Returns a function that adds the
   * index to the collection. Throws `DuplicateKey`, or the error for a document that cannot be indexed.
   */
  buildIndex(spec: RawDocument): () => IndexDefinition {
    return this.#indexes.build(spec, this.#documents, () => this.scan({ kind: 'natural', reverse: false }));
  }

  createIndex(spec: RawDocument): IndexDefinition {
    return this.buildIndex(spec)();
  }

  /**
   * Must run inside `write`. Recomputes the keys of indexes whose collation differs in this version of
   * Node.js, and builds the internal index on `_id`.
   */
  renewIndexes(): void {
    this.createUniqueId();
    this.#indexes.renew(this.#documents, () => this.scan({ kind: 'natural', reverse: false }));
  }

  dropIndex(index: IndexDefinition): void {
    this.#indexes.drop(index, this);
  }

  /** Changes the specification of an index. The key must stay the same. */
  changeIndex(index: IndexDefinition, spec: RawDocument): IndexDefinition {
    return this.#indexes.change(index, spec);
  }

  /** Returns the index keys that several documents share. */
  duplicatesIn(index: IndexDefinition): readonly Uint8Array[] {
    return this.#indexes.duplicates(index);
  }

  /** True if the collection has an index on `_id`. */
  get indexed(): boolean {
    return true;
  }

  /** True if `_id` is unique. */
  get identified(): boolean {
    return true;
  }

  /** True if queries may read index keys in place of documents. */
  get readsKeys(): boolean {
    return true;
  }

  /** Counts the documents whose index keys are in the ranges. Examines at most `most` keys. */
  countIn(index: IndexDefinition, ranges: readonly KeyRange[], most = Number.POSITIVE_INFINITY): number {
    index.uses++;
    return countDocuments(this.source().connection, index, ranges, most);
  }

  /** Counts the index keys in the ranges, up to `most`. Faster than `countIn` if there are many keys. */
  estimateIn(index: IndexDefinition, ranges: readonly KeyRange[], most: number): number {
    return countKeys(this.source().connection, index, ranges, most);
  }

  /** Counts the distinct keys among the first `most` index keys of each range. */
  distinctIn(index: IndexDefinition, ranges: readonly KeyRange[], most: number): number {
    return countDistinct(this.source().connection, index, ranges, most);
  }

  /** Compares an index with the documents. */
  checkIndex(index: IndexDefinition): IndexCheck {
    const { connection } = this.source();
    return checkIndex(connection, index, this.scan({ kind: 'natural', reverse: false }));
  }

  /** Returns the records on an access path. `expected` is the number of records that the caller will read, if known. */
  scan(path: AccessPath, expected?: number, figures?: ScanFigures, use?: Use): RecordStream {
    this.running.examined.path ??= path;
    const source = this.source();
    const { reverse } = path;
    const scanned = (one: AccessPath) => this.scan(one, expected, figures);
    if (path.kind === 'union') return new Union(path.paths.map(scanned), this);
    if (path.kind === 'merge') {
      const streams = path.paths.map((one) => this.scan(one, FIRST_ROWS, figures));
      return new Merge(streams, path, { running: this.running, find: (key) => this.find(key) });
    }
    if (path.kind === 'byId' && path.intervals?.length !== 0) this.idUses++;
    if (path.kind === 'index') {
      path.index.uses++;
      const ranges = reverse ? path.ranges.toReversed() : path.ranges;
      // In a write transaction, a document can change during the scan. Without `once`, the scan could then return it
      // again, under its new key.
      const once = this.#transaction.active;
      return new IndexScan(source, path.index, ranges, {
        reverse,
        once,
        expected,
        figures,
        covered: path.covered,
        keyTest: this.readsKeys ? path.keyTest : undefined,
      });
    }
    if (path.kind === 'natural') return new Scan(source, naturalOrder(reverse), expected, use);
    const keyed = this.hasIdIndex;
    if (path.intervals === undefined) {
      return new Scan(source, keyOrder(undefined, reverse), expected, { ...use, keyed });
    }
    return new IntervalStream(
      {
        find: (key) => this.#findKeyed(key),
        scan: (interval) => new Scan(source, keyOrder(interval, reverse), expected, { keyed }),
        check: () => this.running.check(),
      },
      reverse ? path.intervals.toReversed() : path.intervals,
    );
  }

  #findKeyed(key: Uint8Array): StoredRecord | undefined {
    const found = this.find(key);
    if (found !== undefined && this.hasIdIndex) this.running.examined.keys++;
    return found;
  }

  /** True if a read by `_id` uses an index, so that it counts as an examined key. */
  protected get hasIdIndex(): boolean {
    return true;
  }

  /** True while oplog entries are replayed (see `Recorder.replaying`). */
  protected get isReplayed(): boolean {
    return this.#recorder?.replaying !== undefined;
  }

  commitPart(): void {
    this.#transaction.commitPart();
  }

  protected source(): ScanSource {
    return { connection: this.#connection, table: this.table, check: () => this.#mustExist() };
  }

  #mustExist(): void {
    if (this.#dropped) throw new CollectionDropped(this);
  }

  protected count(documents: number, bytes: number): void {
    if (documents === 0 && bytes === 0) return;
    const written = documents < 0 ? 'keysDeleted' : 'keysInserted';
    if (this.indexed && this.hasIdIndex) this.running.examined[written] += Math.abs(documents);
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
