import { checkDocument } from './checksum.ts';
import { Connection } from './connection.ts';
import { StorageError } from './storage-error.ts';

const ROWS_AT_ONCE = 200;

/**
 * Checks the whole file; returns what is wrong with it, or undefined. It uses a separate connection and reads table by
 * table, the documents of each in steps, so that the file's log can be reset in between.
 */
export function checkFile(file: string, key?: Uint8Array): string | undefined {
  const connection = new Connection(file, { readOnly: true, key });
  try {
    const tables = connection.all<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
    for (const [table] of tables) {
      const [row] = connection.all<[string]>(`PRAGMA integrity_check('${table.replaceAll("'", "''")}')`);
      if (row !== undefined && row[0] !== 'ok') return row[0];
      if (/^c_\d+$/.test(table)) checkDocuments(connection, table);
    }
    return undefined;
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'damaged') return error.message;
    throw error;
  } finally {
    connection.close();
  }
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

/** A collection may be dropped between two steps. */
function isThere(connection: Connection, table: string): boolean {
  return connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', table) !== undefined;
}
