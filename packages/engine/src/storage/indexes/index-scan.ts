import { RawDocument } from '../../bson/raw.ts';
import { ServerError } from '../../errors/server-error.ts';
import { checkDocument } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../file/database.ts';
import type { KeyTest } from '../model/access-path.ts';
import type { IndexDefinition } from '../model/index-definition.ts';
import { isMultikey } from '../model/multikey.ts';
import type { KeyRange } from '../model/range.ts';
import type { StoredRecord } from '../records/page.ts';
import { RowSet } from '../records/row-set.ts';
import type { RecordStream, ScanSource } from '../records/scan.ts';
import { canDecodeValues, documentReader } from './covered.ts';

/** The numbers of keys and documents that an index scan has examined. */
export interface ScanFigures {
  keys: number;
  documents: number;
}

export interface IndexScanOptions {
  readonly reverse?: boolean | undefined;
  /** If true, each document is returned once, even if its keys change during the scan. */
  readonly once?: boolean | undefined;
  /** The number of records that the caller will read, if known. */
  readonly expected?: number | undefined;
  readonly figures?: ScanFigures | undefined;
  /** The index parts that contain all fields that the caller needs. */
  readonly covered?: ReadonlySet<number> | undefined;
  readonly keyTest?: KeyTest | undefined;
}

interface Row {
  readonly key: Uint8Array;
  readonly rid: number;
  /** The document; undefined if its key did not pass the test. */
  readonly doc: RawDocument | undefined;
  /** False if the document was built from its key. */
  readonly read: boolean;
}

const PAGE_BYTES = 256 * 1024;
const FIRST_ROWS = 32;
const MAX_ROWS = 1_000;

/** Returns documents in index order, page by page. No SQLite statement stays open between two calls. */
export class IndexScan implements RecordStream {
  readonly #source: ScanSource;
  readonly #index: IndexDefinition;
  readonly #ranges: readonly KeyRange[];
  readonly #reverse: boolean;
  readonly #figures: ScanFigures;
  readonly #covered: ReadonlySet<number> | undefined;
  #keyTest: KeyTest | undefined;
  #tested = 0;
  #passed = 0;
  /** The rows that were already returned; set if a row can occur under several keys. */
  readonly #seen: RowSet | undefined;
  #range = 0;
  #rows: readonly Row[] = [];
  #at = 0;
  #more = true;
  #after: { key: Uint8Array; rid: number } | undefined;
  #limit: number;

  /** `ranges` must be in scan order. */
  constructor(
    source: ScanSource,
    index: IndexDefinition,
    ranges: readonly KeyRange[],
    {
      reverse = false,
      once = false,
      expected = FIRST_ROWS,
      figures = { keys: 0, documents: 0 },
      covered,
      keyTest,
    }: IndexScanOptions = {},
  ) {
    this.#source = source;
    this.#index = index;
    this.#ranges = ranges;
    this.#reverse = reverse;
    this.#limit = Math.min(Math.max(expected, 1), MAX_ROWS);
    this.#figures = figures;
    this.#covered = covered;
    this.#keyTest = keyTest;
    const several = index.kind === 'wildcard' || isMultikey(index.multikey);
    this.#seen =
      once || several ? new RowSet((bytes) => source.connection.running.keep(bytes, 'IXSCAN')) : undefined;
  }

  next(): StoredRecord | undefined {
    for (;;) {
      const row = this.#rows[this.#at];
      if (row === undefined) {
        if (!this.#load()) return undefined;
        continue;
      }
      this.#at++;
      const { key, rid, doc, read } = row;
      this.#after = { key, rid };
      this.#figures.keys++;
      if (doc === undefined || this.#seen?.add(rid) === false) continue;
      if (read) this.#figures.documents++;
      return { rid, doc };
    }
  }

  release(): void {
    if (this.#at < this.#rows.length) this.#more = true;
    this.#rows = [];
    this.#at = 0;
  }

  get ended(): boolean {
    return this.#range >= this.#ranges.length;
  }

  /** Loads the next page. Returns false if the scan has ended. */
  #load(): boolean {
    if (!this.#more) {
      this.#range++;
      this.#more = true;
      this.#after = undefined;
    }
    const range = this.#ranges[this.#range];
    if (range === undefined) return false;
    // Check for interruptions in each range, because there may be half a million ranges without any key.
    this.#source.connection.running.check();
    this.#source.check();
    requireIndex(this.#index);
    const [covered, keyTest] = [this.#covered, this.#keyTest];
    if (covered !== undefined && canDecodeValues(this.#index, covered)) this.#loadKeys(range, covered);
    else if (keyTest !== undefined && canDecodeValues(this.#index, keyTest.parts)) {
      this.#loadTested(range, keyTest);
    } else this.#loadDocuments(range);
    this.#at = 0;
    this.#limit = Math.min(this.#limit * 4, MAX_ROWS);
    return true;
  }

  /** Builds documents from keys. Reads a document itself if its key does not determine it. */
  #loadKeys(range: KeyRange, covered: ReadonlySet<number>): void {
    const { sql, values } = this.#select(range, false);
    const { connection, table } = this.#source;
    const { examined } = connection.running;
    const documentOf = documentReader(this.#index, covered);
    const rows: Row[] = [];
    let [keys, bytes] = [0, 0];
    for (const [key, rid] of connection.iterate<readonly [Uint8Array, number]>(sql, ...values)) {
      const decoded = documentOf(key);
      const doc = decoded ?? documentAt(connection, table, rid);
      if (decoded === undefined) examined.documents++;
      if (doc !== undefined) rows.push({ key, rid, doc, read: decoded === undefined });
      // A damaged index may contain keys without documents. Continue after them.
      else if (rows.length === 0) this.#after = { key, rid };
      keys++;
      bytes += key.length + (doc?.length ?? 0);
      if (bytes >= PAGE_BYTES) break;
    }
    examined.keys += keys;
    this.#more = keys === this.#limit || bytes >= PAGE_BYTES;
    this.#rows = rows;
  }

  /** Reads the documents whose keys pass the test. Stops testing keys if most of them have passed. */
  #loadTested(range: KeyRange, { parts, accepts }: KeyTest): void {
    const { sql, values } = this.#select(range, false);
    const { connection, table } = this.#source;
    const { examined } = connection.running;
    const valuesOf = documentReader(this.#index, parts);
    const rows: Row[] = [];
    let [read, bytes] = [0, 0];
    for (const [key, rid] of connection.iterate<readonly [Uint8Array, number]>(sql, ...values)) {
      const tested = valuesOf(key);
      const passes = tested === undefined || accepts(tested);
      const doc = passes ? documentAt(connection, table, rid) : undefined;
      if (doc !== undefined) read++;
      rows.push({ key, rid, doc, read: true });
      bytes += key.length + (doc?.length ?? 0);
      if (bytes >= PAGE_BYTES) break;
    }
    examined.keys += rows.length;
    examined.documents += read;
    this.#more = rows.length === this.#limit || bytes >= PAGE_BYTES;
    this.#rows = rows;
    this.#tested += rows.length;
    this.#passed += read;
    if (this.#passed * 2 > this.#tested) this.#keyTest = undefined;
  }

  #loadDocuments(range: KeyRange): void {
    const rows: Row[] = [];
    let bytes = 0;
    const { sql, values } = this.#select(range, true);
    const { connection, table } = this.#source;
    const { examined } = connection.running;
    const found = connection.iterate<readonly [Uint8Array, number, Uint8Array, number | null]>(
      sql,
      ...values,
    );
    for (const [key, rid, doc, checksum] of found) {
      checkDocument(doc, checksum, { file: connection.file, table, rid });
      rows.push({ key, rid, doc: new RawDocument(doc), read: true });
      bytes += doc.length;
      if (bytes >= PAGE_BYTES) break;
    }
    examined.keys += rows.length;
    examined.documents += rows.length;
    this.#more = rows.length === this.#limit || bytes >= PAGE_BYTES;
    this.#rows = rows;
  }

  #select({ low, high }: KeyRange, documents: boolean): { sql: string; values: SqlValue[] } {
    const reverse = this.#reverse;
    const terms: string[] = [];
    const values: SqlValue[] = [];
    const behind = this.#after;
    if (behind !== undefined) {
      terms.push(`(i.key, i.rid) ${reverse ? '<' : '>'} (?, ?)`);
      values.push(behind.key, behind.rid);
    }
    if (low.length > 0 && (behind === undefined || reverse)) {
      terms.push('i.key >= ?');
      values.push(low);
    }
    if (high !== undefined && (behind === undefined || !reverse)) {
      terms.push('i.key < ?');
      values.push(high);
    }
    const where = terms.length === 0 ? '' : `WHERE ${terms.join(' AND ')}`;
    const order = reverse ? 'i.key DESC, i.rid DESC' : 'i.key, i.rid';
    const { table } = this.#index;
    if (!documents) {
      const sql = `SELECT i.key, i.rid FROM ${table} i ${where} ORDER BY ${order} LIMIT ?`;
      return { sql, values: [...values, this.#limit] };
    }
    // CROSS JOIN fixes the join order: SQLite reads the index first and looks up each document.
    const sql = `SELECT i.key, i.rid, c.doc, c.checksum FROM ${table} i CROSS JOIN ${this.#source.table} c
      ON c.rid = i.rid ${where} ORDER BY ${order} LIMIT ?`;
    return { sql, values: [...values, this.#limit] };
  }
}

/** Throws if the index was dropped. To be called before a read, if other statements may have run since the last one. */
export function requireIndex({ dropped, name }: IndexDefinition): void {
  if (!dropped) return;
  throw new ServerError('QueryPlanKilled', `query plan killed :: caused by :: index '${name}' dropped`);
}

function documentAt(connection: Connection, table: string, rid: number): RawDocument | undefined {
  const sql = `SELECT doc, checksum FROM ${table} WHERE rid = ?`;
  const row = connection.get<[Uint8Array, number | null]>(sql, rid);
  if (row === undefined) return undefined;
  checkDocument(...row, { file: connection.file, table, rid });
  return new RawDocument(row[0]);
}
