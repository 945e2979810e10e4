import { RawDocument } from '../../bson/raw.ts';
import { checkDocument, checksumOf } from '../file/checksum.ts';
import type { Connection } from '../file/connection.ts';
import { isBeginning } from './entry.ts';
import { HEAD_BYTES, isRun, StoredRun, sizeOfRun } from './insert-run.ts';

/** Maximum number of rows that one pass removes. */
export const TRIM_ROWS = 1_000;

/** A row of the oplog: a single entry or a run of inserts. */
export interface EntryRow {
  readonly rid: number;
  readonly entries: number;
  /** The total size of the entries as readers see them. */
  readonly bytes: number;
}

/** The table of the oplog. The id of a row is the position of its entry, or of its newest entry if the row is a run. */
export class EntryTable {
  readonly #connection: Connection;
  readonly #table: string;
  readonly #insertSql: string;

  constructor(connection: Connection, table: string) {
    this.#connection = connection;
    this.#table = table;
    this.#insertSql = `INSERT INTO ${table} (rid, checksum, doc) VALUES (?, ?, ?)`;
  }

  static create(connection: Connection, table: string): void {
    connection.exec(
      `CREATE TABLE ${table} (rid INTEGER PRIMARY KEY, checksum INTEGER, doc BLOB NOT NULL) STRICT`,
    );
  }

  /** Returns the position of the newest entry, or 0 if there is none. */
  last(): number {
    return this.#connection.get<[number | null]>(`SELECT max(rid) FROM ${this.#table}`)?.[0] ?? 0;
  }

  /** Returns the position of the oldest entry, or 0 if there is none. */
  first(): number {
    const [row] = this.#heads('ORDER BY rid LIMIT 1');
    return row === undefined ? 0 : row.rid - row.entries + 1;
  }

  hasFirstEntry(): boolean {
    const row = this.#connection.get<[Uint8Array]>(`SELECT doc FROM ${this.#table} ORDER BY rid LIMIT 1`);
    const first = row && new RawDocument(row[0]);
    return first !== undefined && !isRun(first) && isBeginning(first);
  }

  entryAt(position: number): RawDocument | undefined {
    const row = this.#connection.get<[number, Uint8Array, number | null]>(
      `SELECT rid, doc, checksum FROM ${this.#table} WHERE rid >= ? ORDER BY rid LIMIT 1`,
      position,
    );
    if (row === undefined) return undefined;
    const [rid, bytes, checksum] = row;
    checkDocument(bytes, checksum, { file: this.#connection.file, table: this.#table, rid });
    const doc = new RawDocument(bytes);
    if (!isRun(doc)) return rid === position ? doc : undefined;
    const run = new StoredRun(doc, rid);
    return run.first <= position ? run.entryAt(position) : undefined;
  }

  insert(rid: number, row: Uint8Array): void {
    this.#connection.run(this.#insertSql, rid, checksumOf(row), row);
  }

  /** Returns the oldest rows that end before a position, at most `TRIM_ROWS`. */
  oldest(position: number): EntryRow[] {
    return this.#heads(`WHERE rid < ? ORDER BY rid LIMIT ${TRIM_ROWS}`, position);
  }

  /** Returns the number and size of the entries after a position. The position must not be within a run. */
  sizeAfter(position: number): Omit<EntryRow, 'rid'> {
    let [entries, bytes] = [0, 0];
    for (const row of this.#heads('WHERE rid > ?', position)) {
      entries += row.entries;
      bytes += row.bytes;
    }
    return { entries, bytes };
  }

  removeUpTo(rid: number): void {
    this.#connection.run(`DELETE FROM ${this.#table} WHERE rid <= ?`, rid);
  }

  #heads(clause: string, ...values: number[]): EntryRow[] {
    const rows = this.#connection.all<[number, number, Uint8Array]>(
      `SELECT rid, octet_length(doc), substr(doc, 1, ${HEAD_BYTES}) FROM ${this.#table} ${clause}`,
      ...values,
    );
    return rows.map(([rid, length, bytes]) => {
      const head = { bytes, offset: 0 };
      return { rid, ...(isRun(head) ? sizeOfRun(head) : { entries: 1, bytes: length }) };
    });
  }
}
