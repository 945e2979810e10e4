import { DatabaseSync } from 'node:sqlite';

/** Another engine host runs in this data directory. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
}

/** SQLITE_BUSY: the lock is held by another process. */
const BUSY = 5;

/**
 * Holds a data directory for this process alone. The lock is one of the operating system's, which it takes back
 * however the process ends; SQLite is how Node.js can ask for one. Throws `AlreadyRunning`.
 */
export function lock(path: string): { release(): void } {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    const busy = error instanceof Error && 'errcode' in error && error.errcode === BUSY;
    throw busy ? new AlreadyRunning(`${path} is held by another process`) : error;
  }
  return { release: () => file.close() };
}
