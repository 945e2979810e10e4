import { encodeName, RawDocument } from '../../bson/raw.ts';
import { BEGINNING, checkDocument, type DocumentPlace } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import type { SqlValue } from '../file/database.ts';
import { StorageError } from '../file/storage-error.ts';
import { BeginningPage, takeBeginnings } from './beginnings.ts';
import { type Bound, clauseOf, type Order } from './order.ts';
import {
  BrokenPage,
  type CheckedRecord,
  contentOf,
  PackedPage,
  type Page,
  RowPage,
  type StoredRecord,
} from './page.ts';

/** A stream of records. The collection may change between two records. */
export interface RecordStream {
  next(): StoredRecord | undefined;
  /** Discards records that were read ahead, so that the next record is read from the current state of the file. */
  release(): void;
  /**
   * True if the stream has found that no further record exists. A stream that scans a table finds this out only when
   * `next` returns undefined.
   */
  readonly ended: boolean;
  /**
   * Throws if the document that `next` returned last is damaged. If the method is absent, `next` itself checks each
   * document.
   */
  check?(): void;
  /**
   * Returns the document that `next` returned last, verified and with all its fields. The method may read the document
   * again, and then returns the current version, or undefined if the document was deleted. If the method is absent,
   * `next` returns complete documents, and `check` suffices.
   */
  whole?(): StoredRecord | undefined;
}

/** How the caller uses the documents of a scan. */
export interface Use {
  /**
   * True if the scan need not verify checksums, because the caller calls `check` or `whole` for the documents that it
   * uses. Verifying the checksum of 1 KB takes as long as reading 1 KB.
   */
  readonly unchecked?: boolean;
  /** The fields that the caller uses, about a dozen at most. Documents may lack other fields. */
  readonly fields?: ReadonlySet<string> | undefined;
  /** True if the scan reads an index, so that each document counts as an examined key as well. */
  readonly keyed?: boolean;
}

/** The table that a scan reads. */
export interface ScanSource {
  readonly connection: Connection;
  readonly table: string;
  /**
   * Called before the file is read. Throws to end the scan, because the collection was dropped or the statement
   * interrupted.
   */
  check(): void;
}

/** Maximum size of a page. Only a page with a single larger document may exceed it. */
const PAGE_BYTES = 256 * 1024;
const FIRST_ROWS = 128;
const MAX_ROWS = 2_000;
/** Documents up to this size are read as a `PackedPage`. In the worst case, 2,000 of them briefly take 32 MB. */
const SMALL = 16 * 1024;

/** If documents have at least this size on average, a scan reads only their beginnings, `BEGINNINGS` at a time. */
const LARGE = BEGINNING * 4;
const BEGINNINGS = 1_000;
/** After this many pages whose beginnings lacked a required field, the scan reads whole documents. */
const MAX_MISSES = 2;
/**
 * If the caller has needed all fields of more than one in `FEW` documents of a page, the scan reads whole documents.
 */
const FEW = 16;
/** Maximum number of fields, because the found fields are bits of an int32. */
const MAX_FIELDS = 16;

/**
 * The limit is an expression, because SQLite would plan the statement again whenever a bare parameter is bound. That
 * takes 2 % of a scan (`computeLimitRegisters` in its select.c).
 */
const LIMITED = 'LIMIT ? + 0';

/** A scan in key or row order, page by page. No SQLite statement stays open between two calls. */
export class Scan implements RecordStream {
  readonly #source: ScanSource;
  readonly #order: Order;
  #from: Bound | undefined;
  #page: Page | undefined;
  #last: StoredRecord | undefined;
  #rows: number;
  /** The fields that are used; undefined if whole documents are read. */
  #fields: readonly Uint8Array[] | undefined;
  #readsBeginnings = false;
  #misses = 0;
  /** In the current page, the number of documents of which the caller has needed all fields. */
  #wanted = 0;
  #exhausted = false;
  readonly #unchecked: boolean;
  readonly #keyed: boolean;
  /**
   * True if a page is verified by comparing the sum of the checksums of its documents with the sum of the stored ones.
   * False once a stored checksum is missing (files before format 6) or the sums differ.
   */
  #summed: boolean;

  /** `expected` is the number of records that the caller will read, if known. */
  constructor(source: ScanSource, order: Order, expected = FIRST_ROWS, use: Use = {}) {
    const { unchecked = false, fields, keyed = false } = use;
    this.#source = source;
    this.#order = order;
    this.#unchecked = unchecked;
    this.#keyed = keyed;
    this.#summed = !unchecked;
    if (fields !== undefined && fields.size < MAX_FIELDS) this.#fields = namesOf(fields, order);
    this.#from = order.start;
    this.#rows = Math.min(Math.max(expected, 1), MAX_ROWS);
  }

  next(): StoredRecord | undefined {
    for (;;) {
      const record = this.#nextOfPage();
      if (record !== undefined) {
        this.#last = record;
        if (!this.#unchecked) this.check();
        return record;
      }
      if (this.#exhausted || this.#page?.last) {
        this.#exhausted = true;
        return undefined;
      }
      this.#load();
    }
  }

  #nextOfPage(): StoredRecord | undefined {
    try {
      return this.#page?.next();
    } catch (error) {
      if (!(error instanceof BrokenPage)) throw error;
      const { connection, table } = this.#source;
      throw new StorageError(connection.file, 'damaged', `is damaged: a document of ${table} has no length`);
    }
  }

  check(): void {
    // The page contains only the beginning of the document, and its sum was not verified. Read the whole document.
    if (this.#unchecked && this.#page?.isCut) this.whole();
    const record = this.#last;
    const checksum = this.#page?.checksum;
    if (record === undefined || checksum === undefined) return;
    checkDocument(record.doc.toBytes(), checksum, this.#placeOf(record.rid));
  }

  whole(): StoredRecord | undefined {
    const record = this.#last;
    this.#wanted++;
    if (record === undefined || !this.#page?.isCut) {
      this.check();
      return record;
    }
    const { rid } = record;
    const { connection, table } = this.#source;
    this.#source.check();
    const row = connection.get<[Uint8Array, number | null]>(
      `SELECT doc, checksum FROM ${table} WHERE rid = ?`,
      rid,
    );
    if (row === undefined) return undefined;
    checkDocument(...row, this.#placeOf(rid));
    return { rid, doc: new RawDocument(row[0]) };
  }

  #placeOf(rid: number): DocumentPlace {
    const { connection, table } = this.#source;
    return { file: connection.file, table, rid };
  }

  release(): void {
    this.#advance();
    this.#page = undefined;
  }

  get ended(): boolean {
    return this.#exhausted;
  }

  #load(): void {
    // Check here, because reading a page takes milliseconds. The first page may be a single document.
    const { running } = this.#source.connection;
    if (this.#page === undefined) running.check();
    else running.checkNow();
    this.#source.check();
    this.#advance();
    const few = this.#wanted * FEW <= (this.#page?.rows ?? 0);
    this.#wanted = 0;
    const page = (few ? this.#readBeginnings() : undefined) ?? this.#read(this.#rows);
    this.#page = page;
    running.examined.documents += page.rows;
    if (this.#keyed) running.examined.keys += page.rows;
    if (page.rows === 0 || page.isCut) return;
    const size = page.bytes / page.rows;
    this.#rows = rowsOf(PAGE_BYTES / size);
    this.#readsBeginnings = this.#fields !== undefined && size >= LARGE;
  }

  /** Reads a page with the beginnings of documents. Returns undefined if whole documents must be read. */
  #readBeginnings(): Page | undefined {
    const fields = this.#fields;
    if (fields === undefined || !this.#readsBeginnings) return undefined;
    const { connection, table } = this.#source;
    const { sql, values } = clauseOf(this.#order, this.#from);
    const text = beginningsSql(table, sql, !this.#unchecked);
    const row = connection.get<BeginningsRow>(text, ...values, BEGINNINGS);
    const [all = 0, ids, packed, sum] = row ?? [];
    if (!ids || !packed) return undefined;
    const taken = takeBeginnings(packed, all, fields, this.#unchecked ? undefined : sum);
    if (taken !== undefined) return new BeginningPage(taken, packed, ids, all < BEGINNINGS);
    if (++this.#misses >= MAX_MISSES) this.#fields = undefined;
    return undefined;
  }

  #advance(): void {
    if (this.#last === undefined) return;
    this.#from = { value: this.#order.positionOf(this.#last), inclusive: false };
    this.#last = undefined;
  }

  #read(rows: number): Page {
    const { connection, table } = this.#source;
    const { sql, values } = clauseOf(this.#order, this.#from);
    const summed = this.#summed ? this.#readSummed(sql, values, rows) : undefined;
    if (summed !== undefined) return summed;
    const row = connection.get<PackedRow>(packedSql(table, sql), ...values, rows);
    const [all = 0, small = 0, ids, packed, sums] = row ?? [];
    const last = all < rows;
    if (all === 0) return new RowPage([], last);
    if (all === small && packed && ids) return new PackedPage(all, last, packed, ids, sums ?? '');
    const large = this.#readRows(`SELECT rid, doc, checksum FROM ${table} ${sql} ${LIMITED}`, [
      ...values,
      rows,
    ]);
    return new RowPage(large, last && large.length === all);
  }

  /**
   * Reads a page of small documents and verifies it. Returns undefined if a document is large, damaged or without a
   * checksum. The slower read that follows determines which of these it is.
   */
  #readSummed(clause: string, values: readonly SqlValue[], rows: number): Page | undefined {
    const { connection, table } = this.#source;
    const row = connection.get<SummedRow>(summedSql(table, clause), ...values, rows);
    const [all = 0, ids, packed, sum] = row ?? [];
    const last = all < rows;
    if (all === 0) return new RowPage([], last);
    const content = packed ? contentOf(packed) : undefined;
    if (packed && ids && content?.rows === all && content.sum === sum) {
      return new PackedPage(all, last, packed, ids);
    }
    // Use only the slower read for later pages, because this read would probably fail for them, too.
    this.#summed = false;
    return undefined;
  }

  #readRows(sql: string, values: readonly SqlValue[]): CheckedRecord[] {
    const records: CheckedRecord[] = [];
    let bytes = 0;
    const rows = this.#source.connection.iterate<readonly [number, Uint8Array, number | null]>(
      sql,
      ...values,
    );
    for (const [rid, doc, checksum] of rows) {
      records.push({ rid, doc: new RawDocument(doc), checksum: checksum ?? undefined });
      bytes += doc.length;
      if (bytes >= PAGE_BYTES) break;
    }
    return records;
  }
}

type PackedRow = readonly [
  all: number,
  small: number,
  ids: string | null,
  packed: Uint8Array | null,
  sums: string | null,
];

type SummedRow = readonly [all: number, ids: string | null, packed: Uint8Array | null, sum: number];

/**
 * Returns the query for `#readSummed`. It selects the sum of the checksums, because building and parsing a list of them
 * would take 0.2 µs more per document. The sum stays below 2^43, so a double represents it exactly. Any damaged
 * document changes the sum.
 */
function summedSql(table: string, clause: string): string {
  return `SELECT count(*), group_concat(rid), CAST(group_concat(small, '') AS BLOB), total(checksum & 4294967295)
    FROM (SELECT rid, CASE WHEN octet_length(doc) <= ${SMALL} THEN doc END AS small, checksum
      FROM ${table} ${clause} ${LIMITED})`;
}

type BeginningsRow = readonly [all: number, ids: string | null, packed: Uint8Array | null, sum: number];

/**
 * Returns the query for beginnings. If `summed` is false, it omits the sum of the checksums, which takes 30 to 40 ns
 * per row.
 */
function beginningsSql(table: string, clause: string, summed: boolean): string {
  const sum = summed ? 'total(checksum >> 32)' : '0';
  return `SELECT count(*), group_concat(rid), CAST(group_concat(start, '') AS BLOB), ${sum}
    FROM (SELECT rid, substr(doc, 1, ${BEGINNING}) AS start, checksum FROM ${table} ${clause} ${LIMITED})`;
}

/** Returns the names of the fields to find. A scan in key order also needs `_id`, to continue after a document. */
function namesOf(fields: ReadonlySet<string>, { column }: Order): readonly Uint8Array[] {
  return [...new Set(column === 'rid' ? fields : [...fields, '_id'])].map(encodeName);
}

/** Returns the query for a packed page. The aggregates receive the rows in the order of the subquery. */
function packedSql(table: string, clause: string): string {
  return `SELECT count(*), count(small), group_concat(rid), CAST(group_concat(small, '') AS BLOB), group_concat(sum)
    FROM (SELECT rid, CASE WHEN octet_length(doc) <= ${SMALL} THEN doc END AS small, ifnull(checksum, 0) AS sum
      FROM ${table} ${clause} ${LIMITED})`;
}

function rowsOf(rows: number): number {
  return Math.min(Math.max(Math.floor(rows), 16), MAX_ROWS);
}
