import { Connection } from '../storage/connection.ts';
import { OPLOG } from '../storage/oplog/log.ts';
import { partsOfPosition } from '../storage/oplog/time.ts';
import { tableName } from '../storage/table-name.ts';

/** Pages in one step of the copy: 4 MiB, some 10 ms in a thread of the pool. */
const PAGES = 512;

/**
 * Copies the file of a cluster as it is at this moment, while others go on writing to it; answers the time of the last
 * operation in it. A read transaction keeps the moment, so that the copy need not begin anew when somebody writes.
 */
export async function copyFile(
  file: string,
  to: string,
): Promise<{ readonly seconds: number; readonly increment: number }> {
  const connection = new Connection(file, { readOnly: true });
  try {
    connection.exec('BEGIN');
    const sql = `SELECT max(rid) FROM ${oplogTable(connection)}`;
    const [last] = connection.get<[number | null]>(sql) ?? [null];
    await connection.copyTo(to, PAGES);
    return partsOfPosition(last ?? 0);
  } finally {
    connection.close();
  }
}

function oplogTable(connection: Connection): string {
  const { database, name } = OPLOG;
  const sql = 'SELECT number FROM collections WHERE db = ? AND name = ?';
  const row = connection.get<[number]>(sql, database, name);
  if (row === undefined) throw new Error(`${connection.file} has no oplog`);
  return tableName(row[0]);
}
