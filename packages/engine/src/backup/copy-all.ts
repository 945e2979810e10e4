import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from '@portolan/foundation/copy-tree';
import { SEARCH_FILE } from '../search/file/remove-file.ts';
import { Connection } from '../storage/file/connection.ts';
import { FILE_NAME } from '../storage/file/format.ts';
import { kindOfFile } from '../storage/file/open-database.ts';
import { StorageError } from '../storage/file/storage-error.ts';
import { CopySource, positionIn } from './copy.ts';

/** The folder of a running cluster, and the folder to which it is copied. */
export interface CopiedFolder {
  readonly directory: string;
  readonly to: string;
  /** The key of the cluster's file if it is encrypted. */
  readonly key?: Uint8Array | undefined;
}

/** Maximum time to wait for the lock of one file while the other files are already locked. */
const MOMENT_MS = 5;

/**
 * Copies the folders of several clusters as of the same point in time. First, all files are opened. Then all files are
 * locked for a few milliseconds, while the snapshot of each file is fixed. Afterwards the snapshots are copied while
 * writes continue.
 */
export class FolderCopies {
  readonly #folders: readonly CopiedFolder[];
  readonly #locks: WriteLock[] = [];
  readonly #sources: { readonly source: CopySource<unknown>; readonly to: string }[] = [];

  constructor(folders: readonly CopiedFolder[]) {
    this.#folders = folders;
    try {
      for (const folder of folders) this.#open(folder);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /**
   * Fixes the point in time of the copies. If a thread is writing to a file, releases all locks and returns false,
   * because that thread may be waiting for one of the locked files. The caller then tries again.
   */
  begin(): boolean {
    const acquired = this.#locks.every((lock) => lock.acquire());
    try {
      if (acquired) for (const { source } of this.#sources) source.fix();
    } finally {
      for (const lock of this.#locks) lock.release();
    }
    return acquired;
  }

  async copy(): Promise<void> {
    const copies = [
      ...this.#sources.map(({ source, to }) => source.copyTo(to)),
      ...this.#folders.map(({ directory, to }) => copyTree(directory, to, { skip: isDatabase })),
    ];
    // Wait for all copies even if one fails, because the caller then removes the folder.
    for (const copy of await Promise.allSettled(copies)) if (copy.status === 'rejected') throw copy.reason;
  }

  close(): void {
    for (const lock of this.#locks.splice(0)) lock.close();
    for (const { source } of this.#sources.splice(0)) source.close();
  }

  /**
   * Opens the files of a folder. A search index is built from the data, so the copy of an index must not be
   * newer than the copy of the data. Therefore both snapshots are fixed while the data is locked.
   */
  #open({ directory, to, key }: CopiedFolder): void {
    mkdirSync(to, { recursive: true, mode: 0o700 });
    const [data, search] = [join(directory, FILE_NAME), join(directory, SEARCH_FILE)];
    if (kindOfFile(data) !== 'blank') {
      this.#locks.push(new WriteLock(data, key));
      this.#sources.push({ source: new CopySource(data, key, positionIn), to: join(to, FILE_NAME) });
    }
    if (kindOfFile(search) !== 'blank')
      this.#sources.push({ source: new CopySource(search, key, anything), to: join(to, SEARCH_FILE) });
  }
}

/** Reads something, because SQLite takes the snapshot of a transaction at its first read. */
const anything = (connection: Connection) => connection.get('SELECT 1 FROM sqlite_schema');

class WriteLock {
  readonly #connection: Connection;

  constructor(file: string, key: Uint8Array | undefined) {
    this.#connection = new Connection(file, { key });
    this.#connection.exec(`PRAGMA busy_timeout = ${MOMENT_MS}`);
    anything(this.#connection);
  }

  /** Locks the file for writes. Returns false if another writer has the lock. */
  acquire(): boolean {
    try {
      this.#connection.exec('BEGIN IMMEDIATE');
      return true;
    } catch (error) {
      if (error instanceof StorageError && error.reason === 'busy') return false;
      throw error;
    }
  }

  release(): void {
    if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK');
  }

  close(): void {
    this.#connection.close();
  }
}

/** True for databases, which are copied separately, and for temporary files. */
function isDatabase(name: string): boolean {
  return OWN.includes(name) || name === 'temporary';
}

const OWN = [FILE_NAME, SEARCH_FILE].flatMap((file) => ['', '-wal', '-shm'].map((end) => file + end));
