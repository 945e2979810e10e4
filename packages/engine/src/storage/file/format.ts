import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningStatement } from '../model/running-statement.ts';
import { Connection } from './connection.ts';
import { refuseDamaged, setAside } from './damaged-file.ts';
import { removeDatabase } from './remove-database.ts';
import { StorageError } from './storage-error.ts';
import { syncDirectory, syncFile } from './sync-directory.ts';
import { tableName } from './table-name.ts';
import type { LogLimits, ThreadWork } from './write-ahead-log.ts';

/** The application id in the header of the file ("PTLN"), which the command `file` shows. */
const APPLICATION_ID = 0x50544c4e;

/** The file format. A change that older versions cannot read increments it. */
const FORMAT = 14;

/**
 * The page size was chosen by measurements with documents of 130 to 4,000 bytes. Compared with pages of 4 KiB, pages of
 * 8 KiB make inserts 1.2 to 2.3 times as fast, scans slightly faster, and random updates a quarter slower. Pages of 16
 * KiB halve the speed of updates. `auto_vacuum` must be set before the first table is created. With this setting, free
 * pages can be returned to the file system without copying the file.
 */
const creation = `
  PRAGMA synchronous = OFF;
  PRAGMA page_size = 8192;
  PRAGMA auto_vacuum = INCREMENTAL;
  PRAGMA journal_mode = WAL;
  BEGIN IMMEDIATE;
  CREATE TABLE collections (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    db TEXT NOT NULL,
    name TEXT NOT NULL,
    uuid BLOB NOT NULL,
    options BLOB NOT NULL,
    documents INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    UNIQUE (db, name)
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = 1;
  COMMIT;`;

/** SQL statements that depend on the names of the collections' tables. */
type Statements = (tables: readonly string[]) => string;

/** The migrations, each from the preceding format to the given format. */
const migrations: ReadonlyArray<readonly [format: number, sql: string | Statements]> = [
  // The results of retryable writes. `used` is machine time in milliseconds. The table of the oplog is not created
  // here, but on first use.
  [
    2,
    `CREATE TABLE retries (
      session TEXT PRIMARY KEY,
      used INTEGER NOT NULL,
      outcomes BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  ],
  // Pre-images. `step` is the index of a change within its oplog entry; `wall` is service time in milliseconds.
  [
    3,
    `CREATE TABLE images (
      position INTEGER NOT NULL,
      step INTEGER NOT NULL,
      uuid BLOB NOT NULL,
      wall INTEGER NOT NULL,
      doc BLOB NOT NULL,
      PRIMARY KEY (position, step)
    ) STRICT, WITHOUT ROWID;`,
  ],
  // Indexes. `multikey` contains the positions of arrays. It is empty if no document has an array. The keys of each
  // index are in a separate table.
  [
    4,
    `CREATE TABLE indexes (
      number INTEGER PRIMARY KEY AUTOINCREMENT,
      collection INTEGER NOT NULL,
      spec BLOB NOT NULL,
      multikey TEXT NOT NULL DEFAULT ''
    ) STRICT;
    CREATE INDEX indexes_of_collection ON indexes (collection);`,
  ],
  // The types of the values in each index part. They are unknown for existing indexes.
  [5, 'ALTER TABLE indexes ADD COLUMN types TEXT;'],
  // Checksums. An existing document gets one when it is next written.
  [
    6,
    (tables) =>
      ['images', ...tables].map((name) => `ALTER TABLE ${name} ADD COLUMN checksum INTEGER;`).join('\n'),
  ],
  // The oplog may contain runs of inserts, each in one row. Existing rows do not change.
  [7, ''],
  // The upper bits of a checksum cover the beginning of the document. Existing checksums do not change.
  [8, ''],
  // Definitions of search indexes by the UUID of their collection. The indexed data is in a separate file.
  [
    9,
    `CREATE TABLE search_indexes (
      id TEXT PRIMARY KEY,
      uuid BLOB NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      definition BLOB NOT NULL,
      analyzers BLOB,
      version INTEGER NOT NULL,
      created INTEGER NOT NULL,
      UNIQUE (uuid, name)
    ) STRICT;`,
  ],
  // The newest position that the counts of the oplog include; NULL for other collections, and if the counts include
  // all.
  [10, 'ALTER TABLE collections ADD COLUMN counted INTEGER;'],
  // The version of collations for which the keys of an index were computed. NULL for keys that are not in the order of
  // a collation.
  [11, 'ALTER TABLE indexes ADD COLUMN collation_version TEXT;'],
  // The types in `indexes` include the values in documents with arrays. They are unknown for existing multikey indexes.
  [12, "UPDATE indexes SET types = NULL WHERE multikey <> '';"],
  // `multikey` of a wildcard index contains the paths of arrays. They are unknown for existing multikey indexes.
  [13, ''],
  // Compound wildcard indexes have keys for documents without a field that the wildcard covers. A version of NULL
  // makes the engine compute the keys of these indexes again when it opens the file.
  [
    14,
    `UPDATE indexes SET collation_version = NULL
     WHERE collation_version IS NOT NULL AND instr(spec, CAST('$**' AS BLOB)) > 0;`,
  ],
];

function migrate(connection: Connection, from: number): void {
  for (const [format, sql] of migrations) {
    if (format <= from) continue;
    const statements = typeof sql === 'string' ? sql : sql(collectionTables(connection));
    connection.exec(`BEGIN IMMEDIATE;\n${statements}\nPRAGMA user_version = ${format};\nCOMMIT;`);
  }
}

function collectionTables(connection: Connection): string[] {
  const rows = connection.all<[number]>('SELECT number FROM collections');
  return rows.map(([number]) => tableName(number));
}

/**
 * `synchronous` is `FULL`, because a command is acknowledged only after the WAL is synced. The page cache is small so
 * that many clusters fit into one process; the operating system caches the rest. Files are not memory-mapped: point
 * reads would be a third faster, but a disk error would then raise a signal that ends the process with all its
 * clusters.
 */
const settings = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA cache_size = -1024;
  PRAGMA temp_store = MEMORY;
  PRAGMA cell_size_check = ON;
  PRAGMA wal_autocheckpoint = 2000;
  PRAGMA journal_size_limit = 67108864;`;

export const FILE_NAME = 'cluster.db';

/** Options for opening a file. */
export interface OpenOptions {
  readonly running?: RunningStatement;
  readonly key?: Uint8Array | undefined;
  /** True if commits are not synced to disk. */
  readonly unsynced?: boolean | undefined;
  /** `run` checkpoints the file in another thread. If absent, commits checkpoint the file. */
  readonly checkpoint?: { readonly run: ThreadWork; readonly limits: LogLimits } | undefined;
}

/** Opens the file of the cluster in `dir`, or creates it. Throws `StorageError` if the file cannot be used. */
export function openFile(dir: string, options: OpenOptions = {}): Connection {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, FILE_NAME);
  refuseDamaged(file);
  let connection = new Connection(file, options);
  try {
    if (isBlank(connection)) {
      connection.close();
      create(dir, options);
      connection = new Connection(file, options);
    } else checkHeader(connection);
    migrate(connection, formatOf(connection));
    connection.exec(settings);
    if (options.unsynced) connection.exec('PRAGMA synchronous = OFF;');
    return connection;
  } catch (error) {
    connection.close();
    if (!(error instanceof StorageError) || error.reason !== 'damaged') throw error;
    // A wrong key and a damaged first page cannot be distinguished. Do not rename the file, because the key may be
    // wrong.
    if (options.key !== undefined)
      throw new StorageError(
        file,
        'locked',
        'cannot be read with its key: the key is wrong, or the file is damaged',
        error,
      );
    throw new StorageError(file, 'damaged', `is damaged and is kept as ${setAside(file)}`, error);
  }
}

function isBlank(connection: Connection): boolean {
  return connection.get('SELECT 1 FROM sqlite_schema') === undefined && applicationId(connection) === 0;
}

function applicationId(connection: Connection): number {
  return connection.get<[number]>('PRAGMA application_id')?.[0] ?? 0;
}

function formatOf(connection: Connection): number {
  return connection.get<[number]>('PRAGMA user_version')?.[0] ?? 0;
}

/**
 * Creates the file in `dir` under another name, and renames it when it is complete. Thus it is synced only once, instead
 * of once or more per migration: on a busy disk, each sync can take 100 ms, in which the query thread serves no cluster.
 */
function create(dir: string, options: OpenOptions): void {
  const made = join(dir, `${FILE_NAME}.new`);
  removeDatabase(made);
  try {
    const connection = new Connection(made, options);
    try {
      connection.exec(creation);
      migrate(connection, formatOf(connection));
    } finally {
      connection.close();
    }
    if (!options.unsynced) syncFile(made);
  } catch (error) {
    removeDatabase(made);
    throw error;
  }
  renameSync(made, join(dir, FILE_NAME));
  syncDirectory(dir);
}

function checkHeader(connection: Connection): void {
  const format = formatOf(connection);
  if (applicationId(connection) !== APPLICATION_ID) {
    throw new StorageError(connection.file, 'foreign', 'is not a cluster file');
  }
  if (format > FORMAT) {
    const detail = `was written by a newer version (format ${format}; this version reads up to ${FORMAT})`;
    throw new StorageError(connection.file, 'newer', detail);
  }
}
