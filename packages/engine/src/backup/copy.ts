import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  openSync,
  readSync,
  rmSync,
} from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Connection } from '../storage/file/connection.ts';
import { kindOfFile } from '../storage/file/open-database.ts';
import { tableName } from '../storage/file/table-name.ts';
import { OPLOG } from '../storage/oplog/name.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { LogGrowth } from './log-growth.ts';

/** Number of pages that one step copies: 4 MiB, about 10 ms in a thread of the pool. */
const PAGES = 512;
/** Number of bytes of an encrypted file that one step copies. */
const PIECE_BYTES = 1024 * 1024;

interface Position {
  readonly seconds: number;
  readonly increment: number;
}

/**
 * Copies the file of a cluster in its current state, without blocking writers. Returns the position of the last
 * operation in the copy.
 */
export function copyFile(file: string, to: string, key?: Uint8Array): Promise<Position> {
  return copyOf(file, to, key, positionIn);
}

/** Copies a file of a cluster in its state at the time of the call. Returns the result of `read` in that state. */
async function copyOf<T>(
  file: string,
  to: string,
  key: Uint8Array | undefined,
  read: (connection: Connection) => T,
): Promise<T> {
  const source = new CopySource(file, key, read);
  try {
    source.fix();
    return await source.copyTo(to);
  } finally {
    source.close();
  }
}

/**
 * Copies a file of a cluster in its state at the call of `fix`. A read transaction keeps this state readable, so that
 * concurrent writes do not restart the copy.
 */
export class CopySource<T> {
  readonly #file: string;
  readonly #key: Uint8Array | undefined;
  readonly #read: (connection: Connection) => T;
  readonly #reader: Connection;
  readonly #growth: LogGrowth;
  /** The part of the WAL that belongs to the snapshot. Undefined if the file is not encrypted. */
  #log: LogPart | undefined;
  #found: T | undefined;

  /** `growth` limits the write-ahead log, which grows during the copy. */
  constructor(
    file: string,
    key: Uint8Array | undefined,
    read: (connection: Connection) => T,
    growth = new LogGrowth(file),
  ) {
    this.#file = file;
    this.#read = read;
    this.#growth = growth;
    const isSealed = key !== undefined && kindOfFile(file) === 'sealed';
    this.#key = isSealed ? key : undefined;
    this.#reader = new Connection(file, { readOnly: true, key: this.#key });
    // Call `read` once in advance. Thus it is faster during `fix`, when other writers wait.
    read(this.#reader);
    if (this.#key !== undefined) checkpoint(file, this.#key);
  }

  /** Fixes the snapshot. Takes some milliseconds at most. */
  fix(): void {
    this.#reader.exec('BEGIN');
    this.#found = this.#read(this.#reader);
    if (this.#key !== undefined) this.#log = this.#logNow(this.#key);
  }

  /** Copies the snapshot. Returns what `read` found in it. Throws an error if the log grows too much meanwhile. */
  async copyTo(to: string): Promise<T> {
    if (this.#key === undefined || this.#log === undefined) {
      await this.#reader.copyTo(to, PAGES, () => this.#growth.check());
      return this.#found as T;
    }
    await this.#copySealed(to, this.#log);
    const copy = new Connection(to, { key: this.#key });
    try {
      const found = this.#read(copy);
      copy.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return found;
    } finally {
      copy.close();
    }
  }

  close(): void {
    this.#reader.close();
  }

  /**
   * Checkpoints the WAL and returns the part of it that could not be moved into the file. A checkpoint
   * encrypts the pages again, with a different result each time. Therefore the checkpoint runs once, before
   * the copy, and not separately in each copy.
   */
  #logNow(key: Uint8Array): LogPart {
    const { isComplete, pages } = checkpoint(this.#file, key);
    if (isComplete) return { header: Buffer.alloc(0), bytes: 0 };
    const [pageBytes = 0] = this.#reader.get<[number]>('PRAGMA page_size') ?? [];
    const bytes = LOG_HEADER_BYTES + pages * (FRAME_HEADER_BYTES + pageBytes);
    return { header: headerOf(`${this.#file}-wal`), bytes };
  }

  /**
   * Copies the encrypted pages byte for byte. Thus unchanged pages are identical in all copies, and no page is
   * decrypted. The copy is complete because of these properties of SQLite's write-ahead log (sqlite.org/wal.html):
   * - If the WAL was fully checkpointed, no checkpoint writes to the file while a reader holds its snapshot. In this
   *   case, only the file is copied.
   * - Otherwise, pages that a checkpoint moves into the file also remain in the WAL. Thus the file, together with the
   *   WAL up to its length at the snapshot, contains the snapshot.
   * - A WAL restarts only after it was fully checkpointed. Thus, if its header has changed during the copy, the file
   *   alone contains the snapshot.
   */
  async #copySealed(to: string, { header, bytes }: LogPart): Promise<void> {
    const log = `${this.#file}-wal`;
    await this.#copyPieces(this.#file, to);
    if (bytes > 0) await this.#copyPieces(log, `${to}-wal`, bytes - 1);
    if (!headerOf(log).equals(header)) rmSync(`${to}-wal`, { force: true });
  }

  /** Copies a file up to the byte `end`. */
  async #copyPieces(from: string, to: string, end = Number.POSITIVE_INFINITY): Promise<void> {
    await pipeline(
      createReadStream(from, { end, highWaterMark: PIECE_BYTES }),
      (pieces) => this.#growth.during(pieces),
      createWriteStream(to, { mode: 0o600 }),
    );
  }
}

interface LogPart {
  readonly header: Buffer;
  readonly bytes: number;
}

/** Checkpoints as much of the WAL as possible. `isComplete` is true if all of its `pages` were checkpointed. */
function checkpoint(file: string, key: Uint8Array): { readonly isComplete: boolean; readonly pages: number } {
  const connection = new Connection(file, { key });
  try {
    const [busy, pages = 0, written] = connection.get<number[]>('PRAGMA wal_checkpoint(PASSIVE)') ?? [];
    if (busy === 0) return { isComplete: pages === written, pages };
    // While another thread checkpoints the file, SQLite returns -1 in place of the number of pages in the WAL. A second
    // call, which checkpoints nothing, returns the number.
    const [, all = 0] = connection.get<number[]>('PRAGMA wal_checkpoint(NOOP)') ?? [];
    return { isComplete: false, pages: all };
  } finally {
    connection.close();
  }
}

/** Length of the WAL's header. It contains two salts that change whenever the WAL restarts. */
const LOG_HEADER_BYTES = 32;
/** Length of the header before each page in the WAL (sqlite.org/walformat.html). */
const FRAME_HEADER_BYTES = 24;

function headerOf(log: string): Buffer {
  if (!existsSync(log)) return Buffer.alloc(0);
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  const opened = openSync(log, 'r');
  try {
    return header.subarray(0, readSync(opened, header, 0, header.length, 0));
  } finally {
    closeSync(opened);
  }
}

/** Returns the position of the last operation in the oplog. */
export function positionIn(connection: Connection): Position {
  const [last] = connection.get<[number | null]>(`SELECT max(rid) FROM ${oplogTable(connection)}`) ?? [null];
  return partsOfPosition(last ?? 0);
}

export function oplogTable(connection: Connection): string {
  const { database, name } = OPLOG;
  const sql = 'SELECT number FROM collections WHERE db = ? AND name = ?';
  const row = connection.get<[number]>(sql, database, name);
  if (row === undefined) throw new Error(`${connection.file} has no oplog`);
  return tableName(row[0]);
}
