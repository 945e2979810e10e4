import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Connection } from '../../storage/file/connection.ts';
import { StorageError } from '../../storage/file/storage-error.ts';
import { removeSearchFile, SEARCH_FILE } from './remove-file.ts';

/** The format of the file. A file with another format is rebuilt. */
const FORMAT = 5;

/**
 * A generation is the index of one version of a definition. It consists of segments, which are written once.
 * A changed document is marked as deleted in its segment and added to a new segment. `places` maps each
 * document to its segment. `position` is the oplog position up to which a generation is current. `scanned` is
 * the last row of the collection that the build of the generation has read. Documents are numbered within a
 * segment. In `terms`, field -1 has the names of the fields, with their numbers in `count`. Their number is in `names`.
 */
const creation = `
  PRAGMA page_size = 8192;
  PRAGMA journal_mode = WAL;
  BEGIN IMMEDIATE;
  CREATE TABLE generations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    ix TEXT NOT NULL,
    version INTEGER NOT NULL,
    definition BLOB NOT NULL,
    analyzers BLOB,
    created INTEGER NOT NULL,
    status TEXT NOT NULL,
    message TEXT,
    position INTEGER NOT NULL,
    scanned INTEGER,
    documents INTEGER NOT NULL DEFAULT 0,
    UNIQUE (ix, version)
  ) STRICT;
  CREATE TABLE segments (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    generation INTEGER NOT NULL,
    size INTEGER NOT NULL,
    roots INTEGER NOT NULL,
    dead INTEGER NOT NULL,
    deleted BLOB,
    names INTEGER NOT NULL,
    bytes INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX segments_of ON segments (generation);
  CREATE TABLE terms (
    segment INTEGER NOT NULL,
    field INTEGER NOT NULL,
    term TEXT NOT NULL,
    count INTEGER NOT NULL,
    docs BLOB NOT NULL,
    positions BLOB,
    PRIMARY KEY (segment, field, term)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE parts (
    segment INTEGER NOT NULL,
    kind TEXT NOT NULL,
    field INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (segment, kind, field)
  ) STRICT;
  CREATE TABLE places (
    generation INTEGER NOT NULL,
    key BLOB NOT NULL,
    segment INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (generation, key)
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${FORMAT};
  COMMIT;`;

/**
 * Durability is relaxed: writes that a power failure loses are indexed again. The lock timeout is short, because only
 * one thread writes to the file.
 */
const settings = `
  PRAGMA busy_timeout = 1000;
  PRAGMA synchronous = NORMAL;
  PRAGMA cache_size = -8192;
  PRAGMA temp_store = MEMORY;
  PRAGMA wal_autocheckpoint = 2000;`;

/** Opens the file for writing. Rebuilds a file that is damaged or has another format. */
export function openSearchFile(dir: string, key: Uint8Array | undefined): Connection {
  try {
    return open(dir, key);
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    removeSearchFile(dir);
    return open(dir, key);
  }
}

function open(dir: string, key: Uint8Array | undefined): Connection {
  const file = join(dir, SEARCH_FILE);
  const connection = new Connection(file, { key });
  try {
    const format = connection.get<[number]>('PRAGMA user_version')?.[0] ?? 0;
    if (format !== FORMAT && connection.get('SELECT 1 FROM sqlite_schema') !== undefined) {
      throw new StorageError(file, 'foreign', 'has another format');
    }
    if (format !== FORMAT) connection.exec(creation);
    connection.exec(settings);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Opens the file for reading. Returns undefined if it does not exist, has another format or cannot be read.
 */
export function readSearchFile(dir: string, key: Uint8Array | undefined): Connection | undefined {
  const file = join(dir, SEARCH_FILE);
  if (!existsSync(file)) return undefined;
  const connection = new Connection(file, { key });
  try {
    if (connection.get<[number]>('PRAGMA user_version')?.[0] !== FORMAT) {
      connection.close();
      return undefined;
    }
    connection.exec('PRAGMA query_only = ON; PRAGMA cache_size = -4096;');
    return connection;
  } catch (error) {
    connection.close();
    if (error instanceof StorageError) return undefined;
    throw error;
  }
}
