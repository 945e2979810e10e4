import type { DatabaseSizes } from '@portolan/engine/interface/engine';
import type { Units } from './unmeasured.ts';

interface DatabaseMetric {
  readonly units: Units;
  readonly read?: (sizes: DatabaseSizes) => number | undefined;
  readonly reason?: string;
}

/** The metrics of a database. Each point has the value at the end of its interval. */
export const databaseMetrics: ReadonlyMap<string, DatabaseMetric> = new Map<string, DatabaseMetric>([
  [
    'DATABASE_AVERAGE_OBJECT_SIZE',
    { units: 'BYTES', read: ({ data, objects }) => (objects === 0 ? 0 : data / objects) },
  ],
  ['DATABASE_COLLECTION_COUNT', { units: 'SCALAR', read: ({ collections }) => collections }],
  ['DATABASE_DATA_SIZE', { units: 'BYTES', read: ({ data }) => data }],
  ['DATABASE_STORAGE_SIZE', { units: 'BYTES', read: ({ storage }) => storage }],
  ['DATABASE_INDEX_SIZE', { units: 'BYTES', read: ({ index }) => index }],
  ['DATABASE_INDEX_COUNT', { units: 'SCALAR', read: ({ indexes }) => indexes }],
  ['DATABASE_EXTENT_COUNT', { units: 'SCALAR', reason: 'the engine has no extents' }],
  ['DATABASE_OBJECT_COUNT', { units: 'SCALAR', read: ({ objects }) => objects }],
  ['DATABASE_VIEW_COUNT', { units: 'SCALAR', read: ({ views }) => views }],
]);
