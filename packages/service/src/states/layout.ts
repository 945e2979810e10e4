import { join } from 'node:path';

/**
 * This file describes the layout of saved states. A state is a folder below `states` in the data directory,
 * with the same relative paths as the data directory itself. Files in a state are never modified, only
 * removed.
 */
export const DATABASE = 'portolan.sqlite';
export const CLUSTERS = join('engine', 'clusters');
export const SNAPSHOTS = 'snapshots';
/** File with the id of the engine host, to which the rows of clusters refer. */
export const HOST_ID = 'engine-host-id';

/**
 * SQLite's files for the write-ahead log of the database. They are moved together with the database, and must never be
 * combined with another database.
 */
export const WAL_FILES = [`${DATABASE}-wal`, `${DATABASE}-shm`];

/**
 * The parts of a data directory that a restore replaces by the parts of the state. Each part is replaced as a whole.
 */
export const PARTS = [...WAL_FILES, DATABASE, CLUSTERS, SNAPSHOTS, HOST_ID];

/** Name of the state that is saved after the first start. */
export const FIRST = '.first';

export const statesIn = (dataDirectory: string) => join(dataDirectory, 'states');

export const stateFolder = (dataDirectory: string, name: string) => join(statesIn(dataDirectory), name);
