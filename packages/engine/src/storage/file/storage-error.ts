/** Why a cluster's file cannot be used; the sentence names the file. */
export class StorageError extends Error {
  readonly file: string;
  readonly reason: StorageFault;

  constructor(file: string, reason: StorageFault, detail: string, cause?: unknown) {
    super(`${file} ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'StorageError';
    this.file = file;
    this.reason = reason;
  }
}

/** `locked`: it is encrypted, and not to be read with the key that there is. */
export type StorageFault = 'damaged' | 'newer' | 'foreign' | 'full' | 'busy' | 'unreadable' | 'locked';

/** SQLite's primary result codes (sqlite.org/rescode.html) that say something about the file, and not about us. */
const faults: Readonly<Record<number, readonly [StorageFault, string]>> = {
  5: ['busy', 'is in use by another process'],
  6: ['busy', 'is in use by another process'],
  8: ['unreadable', 'cannot be written'],
  10: ['unreadable', 'cannot be read or written: the disk reports an error'],
  11: ['damaged', 'is damaged'],
  13: ['full', 'cannot grow: the disk is full'],
  14: ['unreadable', 'cannot be opened'],
  26: ['damaged', 'is damaged: it is not a database file'],
};

/** What an error of SQLite says about the file; any other error comes back as it is. */
export function storageError(file: string, error: unknown): unknown {
  const known = faults[primaryCode(error)];
  return known ? new StorageError(file, known[0], known[1], error) : error;
}

/** SQLITE_CONSTRAINT_UNIQUE */
const TAKEN = 2067;

/** Whether a row was refused for a unique key that is taken. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === TAKEN;
}

function primaryCode(error: unknown): number {
  return codeOf(error) & 0xff;
}

function codeOf(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return 0;
  return error.errcode;
}
