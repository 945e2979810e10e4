import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { BoundedCache } from '@portolan/foundation/bounded-cache';
import { CompiledQuery, type QueryResult } from 'kysely';
import { sqliteError } from './errors.ts';

/** Size of the statement cache per connection; a query with a list of another length is another statement. */
const STATEMENTS_KEPT = 500;

/** Pages per step of a copy: 4 MiB, a few milliseconds in a pool thread. */
const PAGES_AT_ONCE = 1024;

interface Statement {
  readonly run: StatementSync;
  /** Names of the result's columns; empty without a result. */
  readonly columns: readonly string[];
  readonly changesSchema: boolean;
}

const schemaChange = /^\s*(ALTER|CREATE|DROP)\b/i;

/** A `node:sqlite` connection with a statement cache. Synchronous. */
export class SqliteConnection {
  readonly #db: DatabaseSync;
  readonly #file: string;
  readonly #statements = new BoundedCache<string, Statement>({ entries: STATEMENTS_KEPT });

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

  /** Rolls back the transaction, unless SQLite already has. */
  rollback(): void {
    if (this.#db.isTransaction) this.exec('ROLLBACK');
  }

  execute<Row>(query: CompiledQuery): QueryResult<Row> {
    try {
      const { run, columns, changesSchema } = this.#statement(query.sql);
      // A cached `SELECT *` would return the old columns.
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

  /** From now on reads see the state of this moment; for a connection that is closed soon. */
  beginSnapshot(): void {
    this.exec('BEGIN');
    // SQLite takes the snapshot at the first read.
    this.execute(CompiledQuery.raw('SELECT 1 FROM sqlite_schema'));
  }

  /** Copies the committed state to another file, in a pool thread; durable when it resolves. */
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

  /** False after an error for which SQLite rolled back the whole transaction. */
  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  /** Call after a schema change by another connection. */
  followSchema(): void {
    this.#statements.clear();
    // A new statement is compiled from the schema as last read, and running one reads it again.
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
 * Rows of `node:sqlite` have no prototype and slow properties; these are plain objects, as from the PostgreSQL
 * client.
 */
function toRow<Row>(columns: readonly string[], values: readonly unknown[]): Row {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i];
  return row as Row;
}
