import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes the entries of a directory durable. SQLite syncs the content of a file, but not its directory entry. */
export function syncDirectory(path: string): void {
  // Windows cannot sync directories and does not need to.
  if (process.platform === 'win32') return;
  sync(path, 'r');
}

/** Makes the content of a file durable that was written without syncs. */
export function syncFile(path: string): void {
  sync(path, 'r+');
}

function sync(path: string, flags: string): void {
  const open = openSync(path, flags);
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}
