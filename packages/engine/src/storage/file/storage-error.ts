/** A cluster's file cannot be used. The message names the file and the reason. */
export class StorageError extends Error {
  readonly file: string;
  readonly reason: StorageFault;
  /** The message without the name of the file. */
  readonly detail: string;

  constructor(file: string, reason: StorageFault, detail: string, cause?: unknown) {
    super(`${file} ${detail}`, cause === undefined ? undefined : { cause });
    this.name = 'StorageError';
    this.file = file;
    this.reason = reason;
    this.detail = detail;
  }
}

/** `locked` means that the file is encrypted and the given key does not open it. */
export type StorageFault = 'damaged' | 'newer' | 'foreign' | 'full' | 'busy' | 'unreadable' | 'locked';

/** SQLite's primary result codes (sqlite.org/rescode.html) that are faults of the file rather than of this program. */
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

/** Converts an SQLite error that concerns the file to a `StorageError`. Returns any other error unchanged. */
export function storageError(file: string, error: unknown): unknown {
  const known = faults[primaryCode(error)];
  return known ? new StorageError(file, known[0], known[1], error) : error;
}

/** The result code `SQLITE_CONSTRAINT_UNIQUE`. */
const TAKEN = 2067;

/** True if a row violated a unique constraint. */
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
