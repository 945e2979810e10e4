import { existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { Connection } from './connection.ts';
import { CHECK_FAILED, setAside } from './damaged-file.ts';
import { StorageError } from './storage-error.ts';
import { syncDirectory } from './sync-directory.ts';

/**
 * Puts a file that nobody has open into the place of a cluster's file that nobody has open. Whenever this is cut off,
 * one of the two is there, whole: the log of the former one is written into it first, since it would be taken for that
 * of the new one. A former one that is damaged is kept beside. `key` is that of
 * the former one.
 */
export function replaceFile(file: string, by: string, key?: Uint8Array): void {
  if (existsSync(file)) settle(file, key);
  for (const part of ['-wal', '-shm', CHECK_FAILED]) rmSync(file + part, { force: true });
  renameSync(by, file);
  syncDirectory(dirname(file));
}

/** Writes the log of a file that nobody has open into it. */
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
