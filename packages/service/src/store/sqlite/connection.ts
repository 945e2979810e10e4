import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { CompiledQuery, type QueryResult } from 'kysely';
import { sqliteError } from './errors.ts';

/**
 * Maximum number of cached statements of a connection. If a query contains a list, each length of the list requires a
 * separate statement.
 */
const STATEMENTS_KEPT = 500;

/**
 * Number of pages that are copied in one step. 1024 pages have 4 MiB, and copying them takes a few milliseconds in a
 * pool thread.
 */
const PAGES_AT_ONCE = 1024;

interface Statement {
  readonly run: StatementSync;
  /** Names of the columns of the result; empty if the statement has no result. */
  readonly columns: readonly string[];
  readonly changesSchema: boolean;
}

const schemaChange = /^\s*(ALTER|CREATE|DROP)\b/i;

/** A synchronous `node:sqlite` connection with a statement cache. */
export class SqliteConnection {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #statements = new BoundedCache<string, Statement>({
    entries: STATEMENTS_KEPT,
    longestKey: Number.POSITIVE_INFINITY,
  });

  constructor(file: string, pragmas: readonly string[]) {
    this.#file = file;
    try {
      this.#db = new DatabaseSync(file);
      for (const pragma of pragmas) this.#db.exec(`PRAGMA ${pragma}`);
    } catch (error) {
      throw sqliteError(error, file);
    }
  }

  /** Runs a statement without parameters and result, such as BEGIN, SAVEPOINT or COMMIT. */
  exec(statement: string): void {
    try {
      this.#statement(statement).run.run();
    } catch (error) {
      throw sqliteError(error, this.#file);
    }
  }

  /** Rolls back the transaction, unless SQLite has already done so. */
  rollback(): void {
    if (this.#db.isTransaction) this.exec('ROLLBACK');
  }

  execute<Row>(query: CompiledQuery): QueryResult<Row> {
    try {
      const { run, columns, changesSchema } = this.#statement(query.sql);
      // After a change of the schema, a cached `SELECT *` would return the old columns.
      if (changesSchema) this.#statements.clear();
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

  /**
   * Begins a read transaction, so that from now on all reads see the present state of the database. The transaction
   * never ends, so call this only for a connection that will soon be closed.
   */
  beginSnapshot(): void {
    this.exec('BEGIN');
    // Read something, because SQLite takes the snapshot at the first read.
    this.execute(CompiledQuery.raw('SELECT 1 FROM sqlite_schema'));
  }

  /** Copies the committed state to another file, in a pool thread. The copy is durable when the promise resolves. */
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

  /** Whether a transaction is open; false after an error for which SQLite rolled back the whole transaction. */
  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  /** Makes new statements use the schema that another connection has changed. Must be called after each such change. */
  followSchema(): void {
    this.#statements.clear();
    // SQLite compiles statements with the schema that it last read. Running a statement makes SQLite read the schema
    // again.
    this.execute(CompiledQuery.raw('SELECT 1 FROM sqlite_schema LIMIT 1'));
  }

  close(): void {
    this.#statements.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #statement(text: string): Statement {
    return this.#statements.of(text, this.#prepare);
  }

  readonly #prepare = (text: string): Statement => {
    const run = this.#db.prepare(text);
    const columns = run.columns().map((column) => column.name);
    run.setReturnArrays(true);
    return { run, columns, changesSchema: schemaChange.test(text) };
  };
}

/**
 * Converts a row to a plain object, like the rows of the PostgreSQL client. The rows that `node:sqlite` returns have no
 * prototype, and access to their properties is slow.
 */
function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
  return row as Row;
}
