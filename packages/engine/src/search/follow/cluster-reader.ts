import { join } from 'node:path';
import { bsonTypes } from '../../bson/bson-types.ts';
import { documentOf, RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { Connection } from '../../storage/file/connection.ts';
import { FILE_NAME } from '../../storage/file/format.ts';
import { tableName } from '../../storage/file/table-name.ts';
import { EntryScan } from '../../storage/oplog/entry-scan.ts';
import { OPLOG } from '../../storage/oplog/name.ts';
import { idKey } from '../../storage/records/id-key.ts';
import { type SearchIndexRow, SearchIndexTable } from '../../storage/search-index-table.ts';

/** The keys of documents that oplog entries changed, by collection UUID in hexadecimal. */
export interface OplogChanges {
  /** The oplog position of the newest entry that was read. */
  readonly position: number;
  readonly documents: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>>;
  /** The numbers of inserts, updates and deletes, by collection UUID. */
  readonly changes: ReadonlyMap<string, Changes>;
  /** True if the end of the oplog was reached. */
  readonly ended: boolean;
}

export interface Changes {
  inserts: number;
  updates: number;
  deletes: number;
}

export interface CollectionTable {
  readonly table: string;
  /** The UUID of the collection, in hexadecimal. */
  readonly uuid: string;
  readonly database: string;
  readonly name: string;
}

interface Row {
  readonly rid: number;
  readonly key: Uint8Array;
  readonly doc: RawDocument;
}

type Stored = readonly [rid: number, key: Uint8Array, doc: Uint8Array];

/** The number of rows per read. */
const BATCH = 1_000;
/**
 * Maximum number of bytes per read. 1,000 documents can have 16 GB, and reading them would block the thread that all
 * clusters share.
 */
const READ_BYTES = 1 << 20;

/** Reads the data file of a cluster concurrently with its writer. */
export class ClusterReader {
  readonly #connection: Connection;
  readonly #oplog: string;
  readonly #indexes: SearchIndexTable;

  constructor(dir: string, key: Uint8Array | undefined) {
    this.#connection = new Connection(join(dir, FILE_NAME), { key });
    this.#connection.exec('PRAGMA query_only = ON; PRAGMA cache_size = -1024;');
    this.#indexes = new SearchIndexTable(this.#connection);
    const place = this.#collection('db = ? AND name = ?', OPLOG.database, OPLOG.name);
    if (place === undefined) throw new Error(`${this.#connection.file} has no oplog`);
    this.#oplog = place.table;
  }

  /** A number that changes with every commit of the writer. */
  get version(): number {
    return this.#connection.get<[number]>('PRAGMA data_version')?.[0] ?? 0;
  }

  indexes(): SearchIndexRow[] {
    return this.#indexes.all();
  }

  /** Returns the search index of a collection by name. */
  index(uuid: Uint8Array, name: string): SearchIndexRow | undefined {
    return this.#indexes.named(uuid, name);
  }

  collection(uuid: Uint8Array): CollectionTable | undefined {
    return this.#collection('uuid = ?', uuid);
  }

  named(database: string, name: string): CollectionTable | undefined {
    return this.#collection('db = ? AND name = ?', database, name);
  }

  #collection(where: string, ...values: Array<string | Uint8Array>): CollectionTable | undefined {
    const sql = `SELECT number, hex(uuid), db, name FROM collections WHERE ${where}`;
    const row = this.#connection.get<[number, string, string, string]>(sql, ...values);
    return row && { table: tableName(row[0]), uuid: row[1].toLowerCase(), database: row[2], name: row[3] };
  }

  /** Returns the oplog position of the newest entry. */
  newest(): number {
    return this.#connection.get<[number | null]>(`SELECT max(rid) FROM ${this.#oplog}`)?.[0] ?? 0;
  }

  /** Returns the position of the first change after `position`, or undefined if there is none. Skips no-op entries. */
  nextAfter(position: number): number | undefined {
    const scan = this.#entriesAfter(position);
    for (let entry = scan.next(); entry !== undefined; entry = scan.next()) {
      if (entry.doc.string('op') !== 'n') return entry.rid;
    }
    return undefined;
  }

  #entriesAfter(position: number): EntryScan {
    const source = { connection: this.#connection, table: this.#oplog, check: () => {} };
    return new EntryScan(source, { low: { value: position, inclusive: false } }, false);
  }

  /** True if the oplog still contains all entries after the position. */
  holds(position: number): boolean {
    const first = this.#connection.get<[number | null]>(`SELECT min(rid) FROM ${this.#oplog}`)?.[0] ?? 0;
    return position >= first && position <= this.newest();
  }

  /** Reads the entries after a position, up to about `most` changed documents or `READ_BYTES`. */
  changesAfter(position: number, most: number): OplogChanges {
    const scan = this.#entriesAfter(position);
    const documents = new Map<string, Map<string, Uint8Array>>();
    const changes = new Map<string, Changes>();
    let [last, count, bytes] = [position, 0, 0];
    for (let record = scan.next(); record !== undefined; record = scan.next()) {
      last = record.rid;
      count += noteEntry(record.doc, documents, changes);
      bytes += record.doc.length;
      if (count >= most || bytes >= READ_BYTES) return { position: last, documents, changes, ended: false };
    }
    return { position: last, documents, changes, ended: true };
  }

  document(table: string, key: Uint8Array): RawDocument | undefined {
    const row = this.#connection.get<[Uint8Array]>(`SELECT doc FROM ${table} WHERE id_key = ?`, key);
    return row && new RawDocument(row[0]);
  }

  /** Reads the documents after a row in insertion order. Returns fewer than `most` if they are large. */
  rows(table: string, behind: number, most: number): Row[] {
    const sql = `SELECT rid, id_key, doc FROM ${table} WHERE rid > ? ORDER BY rid LIMIT ?`;
    const rows: Row[] = [];
    let bytes = 0;
    for (const [rid, key, doc] of this.#connection.iterate<Stored>(sql, behind, most)) {
      rows.push({ rid, key, doc: new RawDocument(doc) });
      bytes += doc.length;
      if (bytes >= READ_BYTES) break;
    }
    return rows;
  }

  /** Yields all documents of a collection. Calls `check` periodically. */
  *documents(table: string, check = () => {}): Generator<RawDocument> {
    let rows = this.rows(table, 0, BATCH);
    while (rows.length > 0) {
      for (const { doc } of rows) yield doc;
      check();
      rows = this.rows(table, rows.at(-1)?.rid ?? 0, BATCH);
    }
  }

  count(table: string): number {
    return this.#connection.get<[number]>(`SELECT count(*) FROM ${table}`)?.[0] ?? 0;
  }

  close(): void {
    this.#connection.close();
  }
}

/** Records the documents that the entry changed; returns their number. */
function noteEntry(
  entry: RawDocument,
  documents: Map<string, Map<string, Uint8Array>>,
  changes: Map<string, Changes>,
): number {
  const kind = entry.get('op');
  if (kind?.type !== bsonTypes.string) return 0;
  const op = textOf(kind);
  if (op === 'c') {
    const parts = entry.document('o')?.get('applyOps');
    if (parts?.type !== bsonTypes.array) return 0;
    let count = 0;
    for (const part of documentOf(parts)) count += noteEntry(documentOf(part), documents, changes);
    return count;
  }
  const uuid = entry.get('ui');
  const about = entry.document(op === 'd' || op === 'i' ? 'o' : 'o2');
  if (uuid === undefined || about === undefined || !['i', 'u', 'd'].includes(op)) return 0;
  const name = Buffer.from(uuid.bytes.subarray(uuid.start + 5, uuid.end)).toString('hex');
  const key = idKey(about);
  let own = documents.get(name);
  if (own === undefined) {
    own = new Map();
    documents.set(name, own);
  }
  own.set(Buffer.from(key).toString('latin1'), key);
  const counts = changes.get(name) ?? { inserts: 0, updates: 0, deletes: 0 };
  counts[op === 'i' ? 'inserts' : op === 'u' ? 'updates' : 'deletes']++;
  changes.set(name, counts);
  return 1;
}
