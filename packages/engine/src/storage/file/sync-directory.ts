import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the entries of a directory durable: SQLite syncs the content of a file, but not its directory entry. */
export function syncDirectory(path: string): void {
  // Windows has no such call and does not need one.
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
