import type { Connection } from './connection.ts';

/**
 * SQLite drops a table in one call, which takes 0.4 ms of CPU time per MB. So the table of a large collection, and those
 * of its indexes, stay in the file when they are dropped, without a row in `collections` or `indexes`. Such tables are
 * left over. Another thread drops them after the commit, or after the next opening of the file.
 */

/** A collection with fewer bytes and documents is small. Dropping its tables takes a few milliseconds. */
const LARGE_BYTES = 16_777_216;
const LARGE_DOCUMENTS = 65_536;

export function isLarge({
  bytes,
  documents,
}: {
  readonly bytes: number;
  readonly documents: number;
}): boolean {
  return bytes >= LARGE_BYTES || documents >= LARGE_DOCUMENTS;
}

/** Drops the table of a collection or index, whose row must be removed as well. Leaves a large table over. */
export function dropTable(connection: Connection, table: string, large: boolean): void {
  if (large && connection.onLeftover !== undefined) connection.onLeftover();
  else connection.exec(`DROP TABLE ${table}`);
}

/** Returns the names of the tables that are left over. */
export function leftovers(connection: Connection): string[] {
  return connection
    .all<[string]>(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name GLOB 'c_[0-9]*' OR name GLOB 'i_[0-9]*')
       EXCEPT SELECT 'c_' || number FROM collections
       EXCEPT SELECT 'i_' || number FROM indexes`,
    )
    .map(([name]) => name);
}

/** Drops all tables that are left over, each in a transaction of its own. */
export function dropLeftovers(connection: Connection): void {
  for (const table of leftovers(connection)) connection.exec(`DROP TABLE IF EXISTS ${table}`);
}
