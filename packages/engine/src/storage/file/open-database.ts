import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Database } from './database.ts';
import { SealedDatabase } from './sealed-database.ts';

export interface DatabaseOptions {
  readonly readOnly?: boolean;
  /** Of the file: one that is made is encrypted with it. A file that is not encrypted is read without it. */
  readonly key?: Uint8Array | undefined;
}

/** How long a connection waits for others that hold the file. */
const TIMEOUT_MS = 5_000;

/** Everything that reads or writes the file of a cluster comes through here. */
export function openDatabase(file: string, { readOnly = false, key }: DatabaseOptions): Database {
  const options = { readOnly, timeout: TIMEOUT_MS };
  if (key === undefined || kindOfFile(file) === 'plain')
    return new DatabaseSync(file, { ...options, allowExtension: false });
  return new SealedDatabase(file, { ...options, key });
}

const PLAIN = 'SQLite format 3\0';

/** `blank`: there is nothing in it, or it is not there. What is neither plain nor blank is encrypted, or damaged. */
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
