import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { RunningStatement } from '../model/running-statement.ts';
import { Connection } from './connection.ts';
import { refuseDamaged, setAside } from './damaged-file.ts';
import { StorageError } from './storage-error.ts';
import { syncDirectory } from './sync-directory.ts';
import { tableName } from './table-name.ts';

/** Marks the file as one of ours (`file` shows it): "PTLN". */
const APPLICATION_ID = 0x50544c4e;

/** Raised with every change that an older version could not read. */
const FORMAT = 9;

/**
 * Measured on documents of 130 to 4,000 bytes: with pages of 8 KiB inserts run at 1.2 to 2.3 times the speed of 4 KiB
 * and scans a little faster, while random updates lose a quarter; with 16 KiB updates lose half. `auto_vacuum` has to
 * be chosen before the first table; it lets pages of dropped collections be given back without copying the file.
 */
const creation = `
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

/** Statements for the tables of collections, whose names are given. */
type Statements = (tables: readonly string[]) => string;

/** What brings a file to the format of that number, from the one before. */
const migrations: ReadonlyArray<readonly [format: number, sql: string | Statements]> = [
  // The oplog is made when it is missed. `used` is machine time, in milliseconds.
  [
    2,
    `CREATE TABLE retries (
      session TEXT PRIMARY KEY,
      used INTEGER NOT NULL,
      outcomes BLOB NOT NULL
    ) STRICT, WITHOUT ROWID;`,
  ],
  // Documents as they were before an entry of the oplog; `step` tells the changes of one entry apart. `wall` is
  // service time, in milliseconds.
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
  // `multikey` tells where documents have arrays, empty when they have none. The keys are in a table for each index.
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
  // Which types the values of each part have had; not known of indexes that were made before.
  [5, 'ALTER TABLE indexes ADD COLUMN types TEXT;'],
  // Documents that are there have none until they are written again.
  [
    6,
    (tables) =>
      ['images', ...tables].map((name) => `ALTER TABLE ${name} ADD COLUMN checksum INTEGER;`).join('\n'),
  ],
  // Rows of the oplog may be runs of inserts from here on; those that are there stay as they are.
  [7, ''],
  // Checksums of documents have one of the beginning in their upper bits; those that are there stay as they are.
  [8, ''],
  // Definitions of search indexes, by the unique id of their collection; what is indexed is in a file of its own.
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
 * An answer leaves only after the log is synced, hence `synchronous = FULL`. The page cache is bounded so that many
 * clusters fit one process; what it does not hold is in the system's. Files are not mapped into memory: point
 * reads would gain a third, but an error of the disk would then be a signal that ends every cluster of the process.
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

/** What a file is opened with: the statements that read it, and its key where it is encrypted. */
export interface OpenOptions {
  readonly running?: RunningStatement;
  readonly key?: Uint8Array | undefined;
  /** What is committed is left to the system to write. */
  readonly unsynced?: boolean | undefined;
}

/** Opens the file of a cluster in `dir`, or makes it. Throws `StorageError` when it is not one that can be used. */
export function openFile(dir: string, options: OpenOptions = {}): Connection {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, FILE_NAME);
  refuseDamaged(file);
  const connection = new Connection(file, options);
  try {
    // Also a file whose making was cut off before its tables were committed.
    if (isBlank(connection)) create(connection, dir);
    else checkHeader(connection);
    migrate(connection, formatOf(connection));
    connection.exec(settings);
    if (options.unsynced) connection.exec('PRAGMA synchronous = OFF;');
    return connection;
  } catch (error) {
    connection.close();
    if (!(error instanceof StorageError) || error.reason !== 'damaged') throw error;
    // A wrong key and a damaged first page look the same, and a wrong key is no reason to move a file.
    if (options.key !== undefined)
      throw new StorageError(
        file,
        'locked',
        'cannot be read with its key: that is another, or the file is damaged',
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

function create(connection: Connection, dir: string): void {
  connection.exec(creation);
  syncDirectory(dir);
}

function checkHeader(connection: Connection): void {
  const format = formatOf(connection);
  if (applicationId(connection) !== APPLICATION_ID) {
    throw new StorageError(connection.file, 'foreign', 'is not the file of a cluster');
  }
  if (format > FORMAT) {
    const detail = `was written by a newer version (format ${format}; this version reads up to ${FORMAT})`;
    throw new StorageError(connection.file, 'newer', detail);
  }
}
