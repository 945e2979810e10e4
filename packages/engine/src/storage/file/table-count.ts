import { ServerError } from '../../errors/server-error.ts';
import type { Connection } from './connection.ts';

/**
 * Maximum number of collections and indexes of a cluster, apart from the indexes on `_id`. Each has a table, and SQLite
 * reads all tables of a file in one call. The time grows quadratically: 7 ms for 3,000 tables, 25 ms for 6,000, and 50
 * ms for 9,000. The limit permits 10,000 collections, as some applications have one for each of their customers.
 */
const MAX_TABLES = 12_000;

/**
 * Throws if the file has no room for the table of another collection or index. Internal work is exempt, because a file
 * of an earlier version may exceed the limit, and must open in any case.
 */
export function requireRoomForTable(connection: Connection): void {
  if (connection.running.operation === undefined) return;
  const [tables = 0] =
    connection.get<[number]>('SELECT (SELECT count(*) FROM collections) + (SELECT count(*) FROM indexes)') ??
    [];
  if (tables < MAX_TABLES) return;
  throw new ServerError(
    'CommandNotAllowed',
    `cannot create a new collection or index -- already using ${tables} collections and indexes of ${MAX_TABLES}`,
  );
}
