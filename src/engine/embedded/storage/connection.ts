import { backup, DatabaseSync, type StatementSync } from 'node:sqlite';
import { RunningStatement } from './running-statement.ts';
import { isTaken, storageError } from './storage-error.ts';

/**
 * A connection to one file, with its prepared statements. Rows come as arrays, in the order of the columns. Errors
 * that say something about the file are `StorageError`s.
 */
export class Connection {
  readonly file: string;
  /** The statement that reads, which is told of what it reads. */
  readonly running: RunningStatement;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(file: string, { readOnly = false, running = new RunningStatement() } = {}) {
    this.file = file;
    this.running = running;
    try {
      this.#db = new DatabaseSync(file, { allowExtension: false, readOnly, timeout: 5_000 });
    } catch (error) {
      throw storageError(file, error);
    }
  }

  /** The statement of a text, prepared once. Texts are few per table; the ones least recently used go first. */
  statement(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    if (this.#statements.size >= KEPT_STATEMENTS) this.#forgetOldest();
    statement = this.#db.prepare(sql);
    statement.setReturnArrays(true);
    this.#statements.set(sql, statement);
    return statement;
  }

  #forgetOldest(): void {
    const half = KEPT_STATEMENTS / 2;
    for (const sql of [...this.#statements.keys()].slice(0, half)) this.#statements.delete(sql);
  }

  run(sql: string, ...values: SqlValue[]): { changes: number; rid: number } {
    try {
      const { changes, lastInsertRowid } = this.statement(sql).run(...values);
      return { changes: Number(changes), rid: Number(lastInsertRowid) };
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  /** Inserts rows; false, with none inserted, where a unique key is taken. */
  insert(sql: string, values: readonly SqlValue[]): boolean {
    try {
      this.statement(sql).run(...values);
      return true;
    } catch (error) {
      if (isTaken(error)) return false;
      throw storageError(this.file, error);
    }
  }

  /** The first row. The caller names its columns' types: they follow from the text it wrote. */
  get<Row extends readonly SqlValue[]>(sql: string, ...values: SqlValue[]): Row | undefined {
    try {
      return this.statement(sql).get(...values) as unknown as Row | undefined;
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  all<Row extends readonly SqlValue[]>(sql: string, ...values: SqlValue[]): Row[] {
    return [...this.iterate<Row>(sql, ...values)];
  }

  *iterate<Row extends readonly SqlValue[]>(sql: string, ...values: SqlValue[]): Generator<Row> {
    try {
      yield* this.statement(sql).iterate(...values) as unknown as Iterable<Row>;
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  /** Several statements that are needed once. */
  exec(sql: string): void {
    try {
      this.#db.exec(sql);
    } catch (error) {
      throw storageError(this.file, error);
    }
  }

  /** Copies what this connection sees into another file, `pages` at a time, beside the thread. */
  async copyTo(file: string, pages: number): Promise<void> {
    try {
      await backup(this.#db, file, { rate: pages });
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

/** Six or so per collection in use: enough for forty busy collections, some 3 KB each. */
const KEPT_STATEMENTS = 256;

export type SqlValue = null | number | bigint | string | Uint8Array;
