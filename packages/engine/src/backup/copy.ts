import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { copyFile as copyBytes } from 'node:fs/promises';
import { Connection } from '../storage/file/connection.ts';
import { kindOfFile } from '../storage/file/open-database.ts';
import { tableName } from '../storage/file/table-name.ts';
import { OPLOG } from '../storage/oplog/name.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';

/** Pages in one step of the copy: 4 MiB, some 10 ms in a thread of the pool. */
const PAGES = 512;

interface Position {
  readonly seconds: number;
  readonly increment: number;
}

/** Copies the file of a cluster as of now without blocking writers; returns the time of its last operation. */
export function copyFile(file: string, to: string, key?: Uint8Array): Promise<Position> {
  return copyOf(file, to, key, positionIn);
}

/**
 * Copies a file of a cluster as of the call, and returns what `read` reads in it. A read transaction holds the snapshot,
 * so that concurrent writes do not restart the copy.
 */
export async function copyOf<T>(
  file: string,
  to: string,
  key: Uint8Array | undefined,
  read: (connection: Connection) => T,
): Promise<T> {
  if (key !== undefined && kindOfFile(file) === 'sealed') return copySealed(file, to, key, read);
  const connection = new Connection(file, { readOnly: true });
  try {
    connection.exec('BEGIN');
    const found = read(connection);
    await connection.copyTo(to, PAGES);
    return found;
  } finally {
    connection.close();
  }
}

/**
 * Copies the encrypted pages verbatim: unchanged pages are identical in all copies, and no page is decrypted on the way.
 * This relies on SQLite's write-ahead log (sqlite.org/wal.html). If the log is fully checkpointed, the file alone is
 * copied: no checkpoint writes to it while a reader holds its snapshot. Otherwise the log only grows, and pages that a
 * checkpoint moves into the file remain in the log, so that file and log together hold the state at which the log was
 * copied. If the log restarts meanwhile, it had been checkpointed fully; its header shows that.
 */
async function copySealed<T>(
  file: string,
  to: string,
  key: Uint8Array,
  read: (connection: Connection) => T,
): Promise<T> {
  const log = `${file}-wal`;
  const reader = new Connection(file, { readOnly: true, key });
  try {
    reader.exec('BEGIN');
    read(reader);
    // A checkpoint encrypts pages again, differently in every copy, so it is done once, before the copy.
    const before = isInFile(file, key) ? Buffer.alloc(0) : headerOf(log);
    await copyBytes(file, to);
    if (before.length > 0) await copyBytes(log, `${to}-wal`);
    if (!headerOf(log).equals(before)) rmSync(`${to}-wal`, { force: true });
  } finally {
    reader.close();
  }
  const copy = new Connection(to, { key });
  try {
    const found = read(copy);
    copy.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return found;
  } finally {
    copy.close();
  }
}

/** Checkpoints as much of the log as possible; returns true if that was all of it. */
function isInFile(file: string, key: Uint8Array): boolean {
  const connection = new Connection(file, { key });
  try {
    const [busy, pages, written] = connection.get<number[]>('PRAGMA wal_checkpoint(PASSIVE)') ?? [];
    return busy === 0 && pages === written;
  } finally {
    connection.close();
  }
}

/** Contains two salts that change whenever the log restarts. */
const LOG_HEADER_BYTES = 32;

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

/** The position of the last operation in the oplog. */
function positionIn(connection: Connection): Position {
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
