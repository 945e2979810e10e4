import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from './database.ts';
import { SealedDatabase } from './sealed-database.ts';

export interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** The key with which a new file is encrypted. An existing file that is not encrypted is read without it. */
  readonly key?: Uint8Array | undefined;
}

/**
 * The time that a connection waits for a lock on the file. If it waited for ten seconds, the host would regard its
 * thread as stuck.
 */
const TIMEOUT_MS = 8_000;

/** Opens the file of a cluster. All connections are opened through this function. */
export function openDatabase(file: string, { readOnly = false, key }: DatabaseOptions): Database {
  const options = { readOnly, timeout: TIMEOUT_MS };
  if (key === undefined || kindOfFile(file) === 'plain')
    return new DatabaseSync(file, { ...options, allowExtension: false });
  return new SealedDatabase(file, { ...options, key });
}

const PLAIN = 'SQLite format 3\0';

/**
 * Returns the kind of a file. `blank` means that the file is empty or missing. `sealed` means that it is encrypted or
 * damaged.
 */
export function kindOfFile(path: string): 'blank' | 'plain' | 'sealed' {
  if (!existsSync(path)) return 'blank';
  const header = Buffer.alloc(PLAIN.length);
  const file = openSync(path, 'r');
  try {
    if (readSync(file, header, 0, header.length, 0) === 0) return 'blank';
  } finally {
    closeSync(file);
  }
  return header.toString('latin1') === PLAIN ? 'plain' : 'sealed';
}
