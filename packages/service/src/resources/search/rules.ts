import {
  type CustomAnalyzer,
  customAnalyzers,
  isCollectionName,
  isDatabaseName,
  isTooLong,
  parseDefinition,
  SearchDefinitionError,
  type SearchIndexStatus,
  type SearchIndexType,
} from '@portolan/engine/management';
import { type Fault, faults } from '@portolan/foundation/faults';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import { type ClusterModel, clusterFaults } from '../clusters/index.ts';
import type { Definition } from './rows.ts';

export const searchFaults = faults({
  PLATFORM_FTS_DUPLICATE_INDEX: [409, 'There is a search index {0} on {1} already.'],
  PLATFORM_FTS_INDEX_NOT_FOUND: [404, 'There is no search index {0}.'],
  PLATFORM_FTS_ANALYZER_NAME_NOT_UNIQUE: [400, 'There are two custom analyzers of one name: {0}.'],
  PLATFORM_FTS_ANALYZER_NAME_CANNOT_REUSED: [400, 'That is the name of an analyzer of every index: {0}.'],
  UNSUPPORTED_DB_VERSION_FOR_FTS: [
    400,
    'Search indexes of this type need version {1} of the database, and this is {0}.',
  ],
});

export const searchEvents = {
  FTS_INDEX_CREATED: 'Search index was created',
  FTS_INDEX_UPDATED: 'Search index was updated',
  FTS_INDEX_DELETED: 'Search index was deleted',
  FTS_INDEX_CLEANED_UP: 'Search index is gone',
  FTS_INDEX_BUILD_COMPLETE: 'Search index was built',
  FTS_INDEX_BUILD_FAILED: 'Build of a search index failed',
  FTS_INDEX_DELETION_FAILED: 'Deletion of a search index failed',
  FTS_INDEXES_SYNONYM_MAPPING_INVALID: 'Synonyms of a search index are not valid',
  FTS_INDEX_STALE: 'Search index is behind its collection',
  FTS_INDEXES_RESTORED: 'Search indexes were restored with their data',
  FTS_INDEXES_RESTORE_FAILED: 'Restore of search indexes failed',
  HOST_SEARCH_NODE_INDEX_FAILED: 'Search node could not build an index',
} as const satisfies EventTypes;

/** It answers queries with what its definition asks for. */
export function isBuilt({ status }: { readonly status: SearchIndexStatus }): boolean {
  return status === 'READY' || status === 'STALE';
}

/** How many search indexes a cluster of a shared size may have (clusters-data reference 4.2). */
const shared: Readonly<Record<string, number>> = { M0: 3, M2: 5, M5: 10, FLEX: 10 };

/** Throws where `there` are as many as the cluster may have. */
export function requireRoom({ spec }: ClusterModel, there: number): void {
  const most = spec.tenant ? (shared[spec.instanceSize] ?? 10) : Number.POSITIVE_INFINITY;
  if (there >= most)
    throw badValue('name', `is one too many: a cluster of this size has ${most} search indexes`);
}

/** Major versions; of 6.0 and 7.0 the builds that are run are newer than those that began with vectors. */
const OLDEST: Readonly<Record<SearchIndexType, number>> = { search: 4.2, vectorSearch: 6 };

/** Databases of the cluster itself: no search index is looked for in them. */
const internal = new Set(['admin', 'config', 'local']);

/** Throws for a collection that cannot be there, or that holds what the cluster keeps for itself. */
export function checkPlace(database: string, collection: string): void {
  if (!isDatabaseName(database)) throw badValue('database', 'is no name that a database can have');
  if (internal.has(database)) throw badValue('database', 'is one of the cluster itself');
  const isPossible = isCollectionName(collection) && !collection.includes('$');
  if (!isPossible || isTooLong(`${database}.${collection}`)) {
    throw badValue('collectionName', 'is no name that a collection can have');
  }
  if (collection.startsWith('system.')) throw badValue('collectionName', 'is one of the cluster itself');
}

/** Throws for more mappings of synonyms than shared sizes have. */
export function checkShared({ synonyms }: Definition, at: string): void {
  if (Array.isArray(synonyms) && synonyms.length > 1) {
    throw badValue(pathBelow(at, 'synonyms'), 'may hold one mapping in a cluster of a shared size');
  }
}

/** Throws for a cluster whose search indexes cannot be changed now. */
export function requireSearchable(cluster: ClusterModel, type: SearchIndexType = 'search'): void {
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  if (cluster.paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(cluster.name);
  const { majorVersion } = cluster.spec;
  const oldest = OLDEST[type];
  if (Number(majorVersion) < oldest)
    throw searchFaults.UNSUPPORTED_DB_VERSION_FOR_FTS(majorVersion, oldest.toFixed(1));
}

/** Throws for several partitions where nothing but the cluster's own nodes searches. */
export function checkPartitions({ numPartitions }: Definition, hasNodes: boolean, at: string): void {
  if (typeof numPartitions !== 'number' || numPartitions === 1 || hasNodes) return;
  throw badValue(pathBelow(at, 'numPartitions'), 'needs search nodes where it is more than 1');
}

/** Throws for a definition that no index can be made by, naming the first thing that is wrong below `at`. */
export function checkDefinition(
  type: SearchIndexType,
  definition: Definition,
  ofCluster: readonly Definition[],
  at: string,
): void {
  told(at, () => parseDefinition(type, definition, customAnalyzers(ofCluster, '')));
}

export function readAnalyzers(analyzers: readonly Definition[]): readonly CustomAnalyzer[] {
  return told('', () => customAnalyzers(analyzers, ''));
}

function told<T>(at: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof SearchDefinitionError ? faultOf(error, at) : error;
  }
}

function pathBelow(at: string, path: string): string {
  return [at, path].filter((part) => part !== '').join('.');
}

function faultOf({ path, reason, matter }: SearchDefinitionError, at: string): Fault {
  const field = pathBelow(at, path);
  switch (matter) {
    case 'analyzer name is not unique':
      return searchFaults.PLATFORM_FTS_ANALYZER_NAME_NOT_UNIQUE(field);
    case 'analyzer name is built in':
      return searchFaults.PLATFORM_FTS_ANALYZER_NAME_CANNOT_REUSED(field);
    case 'missing':
      return generalFaults.MISSING_ATTRIBUTE(field);
    default:
      return badValue(field, reason);
  }
}
