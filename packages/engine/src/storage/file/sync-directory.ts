import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes names in a directory durable: SQLite syncs what is in a file, not that the directory names it. */
export function syncDirectory(path: string): void {
  // Windows has no such call and needs none.
  if (process.platform === 'win32') return;
  const directory = openSync(path, 'r');
  try {
    fsyncSync(directory);
  } finally {
    closeSync(directory);
  }
}
