import { join } from 'node:path';

/**
 * The layout of saved states. A state is a folder below `states` in the data directory, with the same relative paths as
 * the data directory itself. Its files are never modified, only removed.
 */
export const DATABASE = 'portolan.sqlite';
export const CLUSTERS = join('engine', 'clusters');
export const SNAPSHOTS = 'snapshots';
/** File with the id by which rows of clusters refer to their host. */
export const HOST_ID = 'engine-host-id';

/** SQLite's files next to the database: moved together with it, and never combined with another database. */
export const WAL_FILES = [`${DATABASE}-wal`, `${DATABASE}-shm`];

/** The parts of a data directory that a restore replaces, each as a whole, by those in the state. */
export const PARTS = [...WAL_FILES, DATABASE, CLUSTERS, SNAPSHOTS, HOST_ID];

/** The state saved after the first start. */
export const FIRST = '.first';

export const statesIn = (dataDirectory: string) => join(dataDirectory, 'states');

export const stateFolder = (dataDirectory: string, name: string) => join(statesIn(dataDirectory), name);
