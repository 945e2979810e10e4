import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import { sqliteError } from './errors.ts';

/** Statements kept compiled per connection; a query with a list of another length is another statement. */
const STATEMENTS_KEPT = 500;

/** Pages in one step of a copy: 4 MiB, some milliseconds in a thread of the pool. */
const PAGES_AT_ONCE = 1024;

interface Statement {
  readonly run: StatementSync;
  /** Names of the result's columns; none when it has no result. */
  readonly columns: readonly string[];
}

/** One connection of `node:sqlite`, with its statements kept compiled. Everything here is synchronous. */
export class SqliteConnection {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, pragmas: readonly string[]) {
    this.#file = file;
    try {
      this.#db = new DatabaseSync(file);
      for (const pragma of pragmas) this.#db.exec(`PRAGMA ${pragma}`);
    } catch (error) {
      throw sqliteError(error, file);
    }
  }

  /** A statement without parameters or result: BEGIN, SAVEPOINT, COMMIT. */
  exec(statement: string): void {
    try {
      this.#statement(statement).run.run();
    } catch (error) {
      throw sqliteError(error, this.#file);
    }
  }

  /** Undoes the transaction, where SQLite has not done so by itself. */
  rollback(): void {
    if (this.#db.isTransaction) this.exec('ROLLBACK');
  }

  execute<Row>(query: CompiledQuery): QueryResult<Row> {
    try {
      const { run, columns } = this.#statement(query.sql);
      const parameters = query.parameters as SQLInputValue[];
      if (columns.length === 0) {
        const { changes } = run.run(...parameters);
        return { numAffectedRows: BigInt(changes), rows: [] };
      }
      const rows = (run.all(...parameters) as unknown as unknown[][]).map((values) =>
        toRow<Row>(columns, values),
      );
      return query.query.kind === 'SelectQueryNode'
        ? { rows }
        : { rows, numAffectedRows: BigInt(rows.length) };
    } catch (error) {
      throw sqliteError(error, this.#file);
    }
  }

  /** Copies what is committed into another file, beside the thread; durable when it resolves. */
  async copyTo(file: string): Promise<void> {
    try {
      await backup(this.#db, file, { rate: PAGES_AT_ONCE });
    } catch (error) {
      throw sqliteError(error, file);
    }
  }

  defineFunction(name: string, run: () => number): void {
    this.#db.function(name, run);
  }

  /** False after an error that made SQLite roll the whole transaction back by itself. */
  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  /** After a change of tables: a kept `SELECT *` would answer the columns of before. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #statement(text: string): Statement {
    const kept = this.#statements.get(text);
    if (kept !== undefined) {
      // The least recently used stands first.
      this.#statements.delete(text);
      this.#statements.set(text, kept);
      return kept;
    }
    const run = this.#db.prepare(text);
    const columns = run.columns().map((column) => column.name);
    run.setReturnArrays(true);
    const statement = { run, columns };
    this.#statements.set(text, statement);
    if (this.#statements.size > STATEMENTS_KEPT) {
      const oldest = this.#statements.keys().next();
      if (!oldest.done) this.#statements.delete(oldest.value);
    }
    return statement;
  }
}

/**
 * Rows that `node:sqlite` makes itself have no prototype and slow properties; these are plain objects of one shape,
 * as the other database's client makes them.
 */
function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
  return row as Row;
}
