import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/**
 * What is wrong with the file of a store, which nobody writes to: nothing for one that can be read. `whole`: every page
 * of it is looked at, which takes a second per gigabyte or so.
 */
export function faultOfDatabase(file: string, { whole = false } = {}): string | undefined {
  // Else SQLite makes files beside one whose journal is a write-ahead log, to read it as well.
  const url = pathToFileURL(file);
  url.searchParams.set('immutable', '1');
  try {
    const db = new DatabaseSync(url, { readOnly: true });
    try {
      if (!db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'migration'`).get())
        return 'is no database of the service';
      const answer = whole ? db.prepare('PRAGMA quick_check(1)').get()?.quick_check : 'ok';
      return answer === 'ok' ? undefined : 'is damaged';
    } finally {
      db.close();
    }
  } catch {
    return 'is damaged';
  }
}
