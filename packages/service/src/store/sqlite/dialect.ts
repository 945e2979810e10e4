import {
  type CompiledQuery,
  DefaultQueryExecutor,
  type Dialect,
  DummyDriver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  Transaction,
} from 'kysely';
import type { Connection } from '../database.ts';

/**
 * This file has a dialect of Kysely for `node:sqlite`. Kysely's own dialect for SQLite prepares each query
 * again, and has a single connection. With this dialect, each query uses the connection of its transaction.
 */
const adapter = new SqliteAdapter();
const compiler = new SqliteQueryCompiler();
const dialect: Dialect = {
  // This driver is never used, since the store itself manages transactions and connections.
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => compiler,
  createAdapter: () => adapter,
  createIntrospector: (db) => new SqliteIntrospector(db),
};
const driver = dialect.createDriver();

type Execute = (query: CompiledQuery) => QueryResult<unknown>;

/**
 * Passes queries to a function. Kysely's own executor acquires a connection for each query and releases it afterwards,
 * which takes five promises. Here, this is not necessary, since the connection is always the same.
 */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #execute: Execute;

  constructor(execute: Execute) {
    super(compiler, adapter, {
      provideConnection() {
        throw new Error('Queries run without a connection of the query builder');
      },
    });
    this.#execute = execute;
  }

  // The function is async, so that the promise rejects if `#execute` throws.
  override async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#execute(query) as QueryResult<Row>;
  }
}

/** Creates a query builder that passes its queries to `execute`. */
export function connectionOver(execute: Execute): Connection {
  const executor = new DirectExecutor(execute);
  return new Transaction<unknown>({ config: { dialect }, driver, executor, dialect });
}
