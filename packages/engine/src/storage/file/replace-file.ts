import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Connection } from './connection.ts';
import { CHECK_FAILED, setAside } from './damaged-file.ts';
import { StorageError } from './storage-error.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Replaces the file of a cluster by another file. Neither file may be open. The WAL of the old file is
 * checkpointed first, because SQLite would apply it to the new file. If the replacement is interrupted, one
 * of the two files remains intact. A damaged old file is kept under another name. `key` belongs to the old
 * file.
 */
export function replaceFile(file: string, by: string, key?: Uint8Array): void {
  if (existsSync(file)) settle(file, key);
  for (const part of ['-wal', '-shm', CHECK_FAILED]) rmSync(file + part, { force: true });
  renameSync(by, file);
  syncDirectory(dirname(file));
}

/** Checkpoints the WAL of a file that is not open. */
function settle(file: string, key: Uint8Array | undefined): void {
  try {
    const connection = new Connection(file, { key });
    try {
      connection.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      connection.close();
    }
  } catch (error) {
    if (!(error instanceof StorageError) || error.reason !== 'damaged') throw error;
    setAside(file);
  }
}
