import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Both copies of the header of the index of the log, which tell its last commit. */
const HEADER_BYTES = 96;

/**
 * Tells files of a cluster apart by what was written to them: where two answers are equal, nothing was committed
 * between them, also nothing that no oplog tells. What is committed while it looks makes the answer one that never
 * comes again. Moving the log into the file changes the answer, too, and that is all that it tells wrongly.
 */
export function writtenState(file: string): string {
  const hash = createHash('sha256');
  // Not when its owner or mode was set: whoever opens it as root sets both.
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
    // There is none while nobody has the file open.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  return header;
}
