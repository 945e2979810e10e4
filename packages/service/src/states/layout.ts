import { join } from 'node:path';

/**
 * Where states are, and of what they are made. A state is a folder below `states` in the data directory, with the same
 * paths in it as there; its files are never written to again, only removed.
 */
export const DATABASE = 'portolan.sqlite';
export const CLUSTERS = join('engine', 'clusters');
export const SNAPSHOTS = 'snapshots';
/** By which the rows of clusters name their host. */
export const HOST_ID = 'engine-host-id';

/** What a database may have left beside it: it goes with that, and never stands beside another one. */
export const LEFT_BESIDE = [`${DATABASE}-wal`, `${DATABASE}-shm`];

/** What is exchanged, each as a whole, when a state is restored that has it. */
export const PARTS = [...LEFT_BESIDE, DATABASE, CLUSTERS, SNAPSHOTS, HOST_ID];

/** What the service was after its first start. */
export const FIRST = '.first';

export const statesIn = (dataDirectory: string) => join(dataDirectory, 'states');

export const stateFolder = (dataDirectory: string, name: string) => join(statesIn(dataDirectory), name);
