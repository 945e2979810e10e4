import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY: another process holds the lock. */
const BUSY = 5;

/** Keeps connections in memory, because the garbage collection of a connection would release its lock. */
const held = new Set<DatabaseSync>();

/**
 * Locks a file for this process. Returns a function that releases the lock, or undefined if another process holds it.
 * The operating system releases the lock however the process ends. So no lock becomes stale, and a later process with
 * the same process id does not inherit a lock. Node.js offers such locks only through SQLite. Nothing else may open the
 * file, because closing it anywhere in the process would release the lock (fcntl(2)). `timeout` is the number of
 * milliseconds to wait for a lock that is about to be released.
 */
export function lockFile(path: string, timeout = 0): (() => void) | undefined {
  const database = new DatabaseSync(path, { timeout });
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return undefined;
    throw error;
  }
  held.add(database);
  return () => {
    if (held.delete(database)) database.close();
  };
}
