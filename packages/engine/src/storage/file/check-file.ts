import { checkDocument } from './checksum.ts';
import { Connection } from './connection.ts';
import { StorageError } from './storage-error.ts';

const ROWS_AT_ONCE = 200;

/**
 * Checks a file over a separate connection. Returns a description of the damage, or undefined if there is none. Checks
 * one table after another, and the documents of each table in several steps, so that the WAL can be reset between
 * steps. With `closed`, also checks pages that belong to no table, in one long transaction.
 */
export function checkFile(file: string, key?: Uint8Array, { closed = false } = {}): string | undefined {
  try {
    const connection = new Connection(file, { readOnly: true, key });
    try {
      return (closed ? integrityOf(connection) : undefined) ?? checkTables(connection, closed);
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'damaged') return error.detail;
    throw error;
  }
}

function checkTables(connection: Connection, isIntact: boolean): string | undefined {
  const tables = connection.all<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
  for (const [table] of tables) {
    const fault = isIntact ? undefined : integrityOf(connection, table);
    if (fault !== undefined) return fault;
    if (/^c_\d+$/.test(table)) checkDocuments(connection, table);
  }
  return undefined;
}

/** Returns the faults that SQLite finds in a table, or in the whole file. */
function integrityOf(connection: Connection, table?: string): string | undefined {
  const part = table === undefined ? '1' : `'${table.replaceAll("'", "''")}'`;
  const [row] = connection.all<[string]>(`PRAGMA integrity_check(${part})`);
  return row === undefined || row[0] === 'ok' ? undefined : row[0];
}

function checkDocuments(connection: Connection, table: string): void {
  const { file } = connection;
  const sql = `SELECT rid, doc, checksum FROM ${table} WHERE rid > ? ORDER BY rid LIMIT ${ROWS_AT_ONCE}`;
  for (let behind: number | undefined = Number.MIN_SAFE_INTEGER; behind !== undefined; ) {
    const rows: Array<readonly [number, Uint8Array, number | null]> = isThere(connection, table)
      ? connection.all(sql, behind)
      : [];
    for (const [rid, doc, checksum] of rows) checkDocument(doc, checksum, { file, table, rid });
    behind = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)?.[0];
  }
}

/** True if the table exists. Its collection may have been dropped between two steps. */
function isThere(connection: Connection, table: string): boolean {
  return connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', table) !== undefined;
}
