import type { Connection } from '../file/connection.ts';
import { dropTable } from '../file/leftovers.ts';
import { indexTableName } from '../model/index-definition.ts';

/**
 * Creates the table for the keys of an index. The table is clustered by key, so that a lookup finds the row ids in a
 * single B-tree.
 */
export function createIndexTable(connection: Connection, number: number): void {
  connection.exec(`CREATE TABLE ${indexTableName(number)} (
    key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (key, rid)) STRICT, WITHOUT ROWID`);
}

export function dropIndexTable(connection: Connection, number: number, large = false): void {
  dropTable(connection, indexTableName(number), large);
}

export function addKey(connection: Connection, table: string, key: Uint8Array, rid: number): void {
  connection.run(`INSERT OR IGNORE INTO ${table} (key, rid) VALUES (?, ?)`, key, rid);
}

export function removeKey(connection: Connection, table: string, key: Uint8Array, rid: number): void {
  connection.run(`DELETE FROM ${table} WHERE key = ? AND rid = ?`, key, rid);
}

/**
 * Returns the numbers of the collections that may have an index with a field of this name in its specification. Does
 * not parse the specification of every index, because a file may have thousands.
 */
export function havingIndexesWith(connection: Connection, field: string): ReadonlySet<number> {
  const sql = 'SELECT DISTINCT collection FROM indexes WHERE instr(spec, CAST(? AS BLOB)) > 0';
  return new Set(connection.all<[number]>(sql, field).map(([collection]) => collection));
}

/** Returns the row, other than `rid`, that has the key. */
export function ownerOf(
  connection: Connection,
  table: string,
  key: Uint8Array,
  rid: number,
): number | undefined {
  const sql = `SELECT rid FROM ${table} WHERE key = ? AND rid <> ? LIMIT 1`;
  return connection.get<[number]>(sql, key, rid)?.[0];
}
