import { Connection } from './connection.ts';
import { StorageError } from './storage-error.ts';

/**
 * Reads the whole file; answers what is wrong with it, or nothing. It has a connection of its own and goes table by
 * table, so that the log of the file can begin anew in between.
 */
export function checkFile(file: string): string | undefined {
  const connection = new Connection(file, { readOnly: true });
  try {
    const tables = connection.all<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table'`);
    for (const [table] of tables) {
      const [row] = connection.all<[string]>(`PRAGMA integrity_check('${table.replaceAll("'", "''")}')`);
      if (row !== undefined && row[0] !== 'ok') return row[0];
    }
    return undefined;
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'damaged') return error.message;
    throw error;
  } finally {
    connection.close();
  }
}
