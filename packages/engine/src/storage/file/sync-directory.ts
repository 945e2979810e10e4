import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the entries of a directory durable. SQLite syncs the content of a file, but not its directory entry. */
export function syncDirectory(path: string): void {
  // Windows cannot sync directories and does not need to.
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
