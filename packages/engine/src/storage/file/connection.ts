import { backup, DatabaseSync } from 'node:sqlite';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { copied, hold } from '../../bson/turns.ts';
import { RunningStatement } from '../model/running-statement.ts';
import type { Database, SqlValue, Statement } from './database.ts';
import { type DatabaseOptions, openDatabase } from './open-database.ts';
import { isTaken, storageError } from './storage-error.ts';

/**
 * Maximum number of prepared statements. A collection in use needs about six of 3 KB each, so this suffices for forty
 * busy collections.
 */
const KEPT_STATEMENTS = 256;
/** Smaller values are not counted as work: their statements count what they do otherwise. */
const LARGE_BYTES = 65_536;
/** Estimated number of bytes by which a write grows for each row, in addition to the bytes of its values. */
const ROW_BYTES = 2_048;

/**
 * A connection to a file, with its prepared statements. Rows are arrays in the order of the columns. Errors that
 * concern the file are `StorageError`s.
 */
export class Connection {
  readonly file: string;
  /** The statement that reads through this connection. It counts the documents and keys read. */
  readonly running: RunningStatement;
  /** The key of the file, if it is encrypted. */
  readonly key: Uint8Array | undefined;
  /** Called when a large table is left over (see `leftovers.ts`). Undefined if no other thread drops it. */
  onLeftover: (() => void) | undefined;
  /** Estimated number of bytes that the write transaction has written so far. */
  written = 0;
  readonly #db: Database;
  readonly #statements = new BoundedCache<string, Statement>({
    entries: KEPT_STATEMENTS,
    longestKey: Number.POSITIVE_INFINITY,
  });

  constructor(
    file: string,
    { readOnly = false, running = new RunningStatement(), key }: ConnectionOptions = {},
  ) {
    this.file = file;
    this.running = running;
    this.key = key;
    try {
      this.#db = openDatabase(file, { readOnly, key });
    } catch (error) {
      throw storageError(file, error);
    }
  }

  /** Returns the prepared statement for an SQL text, from the cache if possible. */
  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; rid: number } {
    try {
      const { changes, lastInsertRowid } = this.statement(sql).run(...values);
      this.#count(values);
      return { changes: Number(changes), rid: Number(lastInsertRowid) };
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  #count(values: readonly SqlValue[]): void {
    this.written += ROW_BYTES;
    for (const value of values) {
      if (!(value instanceof Uint8Array)) continue;
      this.written += value.length;
      // Other statements can run between two calls for large values. A call that stores 16 MB takes 15 to 30 ms, and a
      // COMMIT after it as long again.
      if (value.length > LARGE_BYTES) copied(value.length);
    }
  }

  /** Inserts rows. If a row violates a unique constraint, inserts none and returns false. */
  insert(sql: string, values: readonly SqlValue[]): boolean {
    try {
      this.statement(sql).run(...values);
      this.#count(values);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw storageError(this.file, error);
    }
  }

  /** Returns the first row. The type argument must match the columns of the SQL text. */
  get<Row extends readonly SqlValue[]>(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.statement(sql).get(...values) as unknown as Row | undefined;
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  all<Row extends readonly SqlValue[]>(sql: string, ...values: SqlValue[]): Row[] {
    try {
      return [...(this.statement(sql).iterate(...values) as unknown as Iterable<Row>)];
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  /**
   * Reads rows one at a time. If another call runs the same SQL text before the last row is read, it gets a separate
   * statement, because reusing the statement would end this iteration. The thread runs no other operation until the
   * last row is read, because the other operation could change the tables.
   */
  *iterate<Row extends readonly SqlValue[]>(sql: string, ...values: SqlValue[]): Generator<Row> {
    const statement = this.statement(sql);
    this.#statements.delete(sql);
    const turn = hold();
    try {
      yield* statement.iterate(...values) as unknown as Iterable<Row>;
    } catch (error) {
      throw storageError(this.file, error);
    } finally {
      turn.held--;
      this.#statements.set(sql, statement);
    }
  }

  /** Runs several statements without preparing them. */
  exec(sql: string): void {
    try {
      this.#db.exec(sql);
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  /**
   * Copies an unencrypted file as this connection sees it, in steps of `pages` pages, on another thread. Calls `copied`
   * after each step. If `copied` throws an error, the copy ends.
   */
  async copyTo(file: string, pages: number, copied: () => void): Promise<void> {
    if (!(this.#db instanceof DatabaseSync)) throw new Error(`${this.file} is encrypted`);
    try {
      await backup(this.#db, file, { rate: pages, progress: copied });
    } catch (error) {
      throw storageError(file, error);
    }
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }
}

interface ConnectionOptions extends DatabaseOptions {
  readonly running?: RunningStatement;
}
