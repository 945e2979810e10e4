import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  type QueryExecutor,
  Transaction,
} from 'kysely';
import type { Connection } from '../database.ts';
import type { Guard } from '../guard.ts';
import { postgresError } from './errors.ts';

/** Wraps a transaction, so that the guard checks its statements, and so that errors of the client are translated. */
export function guarded(db: Connection, guard: Guard, dialect: Dialect, place: string): Connection {
  const inner = db.getExecutor();
  const executor: QueryExecutor = inner.withConnectionProvider({
    provideConnection: (consumer) =>
      inner.provideConnection((connection) => consumer(guardedConnection(connection, guard, place))),
  });
  // The driver is never used, since the wrapped transaction already has a connection, and runs BEGIN and COMMIT itself.
  return new Transaction<unknown>({ config: { dialect }, driver: new DummyDriver(), executor, dialect });
}

function guardedConnection(connection: DatabaseConnection, guard: Guard, place: string): DatabaseConnection {
  return {
    async executeQuery<Row>(query: CompiledQuery) {
      guard.check();
      try {
        return await connection.executeQuery<Row>(query);
      } catch (error) {
        const translated = postgresError(error, place);
        guard.failed(translated);
        throw translated;
      }
    },
    streamQuery() {
      throw new Error('Rows are read in pages, not streamed');
    },
  };
}
