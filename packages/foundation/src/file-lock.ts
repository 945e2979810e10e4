import { DatabaseSync } from 'node:sqlite';

/** SQLITE_BUSY: somebody else has it. */
const BUSY = 5;

/** A connection that is only reachable from a closure would be collected as garbage, and its lock with it. */
const held = new Set<DatabaseSync>();

/**
 * Holds a file for this process alone; answers how to release it, or undefined when another process has it. The lock
 * is one of the operating system's, which it takes back however the process ends: it can neither be left behind nor
 * be mistaken for that of another process with the same number. SQLite is how Node.js can ask for one. Nothing else
 * may open the file: closing it anywhere in the process would end the lock (fcntl(2)).
 *
 * `timeout`: milliseconds to wait for a lock that is about to be released.
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
