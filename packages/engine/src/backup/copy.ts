import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { copyFile as copyBytes } from 'node:fs/promises';
import { Connection } from '../storage/connection.ts';
import { kindOfFile } from '../storage/open-database.ts';
import { OPLOG } from '../storage/oplog/name.ts';
import { partsOfPosition } from '../storage/oplog/position.ts';
import { tableName } from '../storage/table-name.ts';

/** Pages in one step of the copy: 4 MiB, some 10 ms in a thread of the pool. */
const PAGES = 512;

interface Position {
  readonly seconds: number;
  readonly increment: number;
}

/**
 * Copies the file of a cluster as it is at this moment, while others go on writing to it; answers the time of the last
 * operation in it.
 */
export function copyFile(file: string, to: string, key?: Uint8Array): Promise<Position> {
  return copyOf(file, to, key, positionIn);
}

/**
 * Copies a file of a cluster as it is when this is called, and what `read` reads in it. A read transaction keeps the
 * moment, so that the copy need not begin anew when somebody writes.
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
 * The pages of an encrypted file as they are: what did not change stays the same in all copies, and no page is in clear
 * on its way. What follows rests on how files and their logs work (sqlite.org/wal.html). Where all of the log is in the
 * file, it alone is copied: nothing more goes into it while a reader is there. Else the log only grows, and pages that
 * go from it into the file are in the log, too; so both make up what was there when the log was copied. Should the log
 * begin anew meanwhile, all of it was in the file after all; its header then is another.
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
    // A page that goes from a log into a file is encrypted anew, in every copy: better before they are made.
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

/** Writes what may be written of the log into the file; whether that was all. */
function isInFile(file: string, key: Uint8Array): boolean {
  const connection = new Connection(file, { key });
  try {
    const [busy, pages, written] = connection.get<number[]>('PRAGMA wal_checkpoint(PASSIVE)') ?? [];
    return busy === 0 && pages === written;
  } finally {
    connection.close();
  }
}

/** With two numbers that are others each time the log begins anew. */
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

/** Of the last operation in the oplog. */
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
