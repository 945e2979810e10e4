import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsent } from '@portolan/foundation/thrown';

/** Total size of the two copies of the WAL-index header. The header identifies the last commit. */
const HEADER_BYTES = 96;

/**
 * Returns a fingerprint of the writes to a cluster's file. If two results are equal, nothing was committed in
 * between, not even a write without an oplog entry. If a commit happens during the call, no other call
 * returns the same result. Without a commit, only a checkpoint changes the result.
 */
export function writtenState(file: string): string {
  const hash = createHash('sha256');
  // Ignore ctime. If the process runs as root, opening the file sets its owner and mode, and thus its ctime.
  for (const path of [file, `${file}-wal`]) {
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (facts) hash.update(`${facts.dev} ${facts.ino} ${facts.size} ${facts.mtimeNs}`);
    hash.update(';');
  }
  return hash.update(logHeader(`${file}-shm`)).digest('hex');
}

function logHeader(path: string): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  try {
    const index = openSync(path, 'r');
    try {
      readSync(index, header, 0, HEADER_BYTES, 0);
    } finally {
      closeSync(index);
    }
  } catch (error) {
    // The WAL index exists only while the database is open.
    if (!isAbsent(error)) throw error;
  }
  return header;
}
