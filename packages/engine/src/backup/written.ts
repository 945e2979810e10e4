import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsent } from '@portolan/foundation/thrown';

/** Both copies of the WAL-index header, which identify the last commit. */
const HEADER_BYTES = 96;

/**
 * Fingerprints the write state of a cluster's file: equal results mean that nothing was committed in between, not even
 * writes without an oplog entry. A commit during the call yields a result that never recurs. A checkpoint also changes
 * the result, which is the only false difference.
 */
export function writtenState(file: string): string {
  const hash = createHash('sha256');
  // Without ctime: opening the file as root sets its owner and mode.
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
    // The file exists only while the database is open.
    if (!isAbsent(error)) throw error;
  }
  return header;
}
