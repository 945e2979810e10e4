import {
  type CompiledQuery,
  type DatabaseConnection,
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
 * Kysely over `node:sqlite`. Kysely's own SQLite dialect prepares a statement anew for each query and has one
 * connection for all; here whoever opens a transaction says over which connection its queries run.
 */
const adapter = new SqliteAdapter();
const compiler = new SqliteQueryCompiler();
const dialect: Dialect = {
  // Transactions and connections are the store's business: nothing is ever asked of this driver.
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => compiler,
  createAdapter: () => adapter,
  createIntrospector: (db) => new SqliteIntrospector(db),
};
const driver = dialect.createDriver();

/** A query builder whose queries `execute` runs at once. */
export function connectionOver(execute: (query: CompiledQuery) => QueryResult<unknown>): Connection {
  const connection: DatabaseConnection = {
    // Async, so that what it throws is a rejection.
    executeQuery: async <Row>(query: CompiledQuery) => execute(query) as QueryResult<Row>,
    streamQuery() {
      throw new Error('Rows are read in pages, not streamed');
    },
  };
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return new Transaction<unknown>({ config: { dialect }, driver, executor, dialect });
}
