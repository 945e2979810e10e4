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
 * A dialect of Kysely for `node:sqlite`. Kysely's own dialect for SQLite prepares each query again, and has a single
 * connection. Here, the transaction determines the connection.
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

/** Creates a query builder that passes its queries to `execute`. */
export function connectionOver(execute: (query: CompiledQuery) => QueryResult<unknown>): Connection {
  const connection: DatabaseConnection = {
    // The function is async, so that errors become rejections.
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
