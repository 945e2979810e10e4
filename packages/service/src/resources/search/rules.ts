import { ownDatabases } from '@portolan/engine/interface/namespaces';
import {
  type CustomAnalyzer,
  isCollectionName,
  isDatabaseName,
  isTooLong,
  MAX_DEFINITION_BYTES,
  MAX_DEFINITIONS_BYTES,
  MAX_INDEXES,
  newAnalyzers,
  parseDefinition,
  parseNewDefinition,
  SearchDefinitionError,
  type SearchIndexStatus,
  type SearchIndexType,
  storedAnalyzers,
} from '@portolan/engine/management';
import type { Fault } from '@portolan/foundation/faults';
import { badValue, generalFaults } from '../../api/faults.ts';
import type { EventTypes } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { admitWork, type ClusterModel } from '../clusters/index.ts';
import { searchFaults } from './faults.ts';
import type { Definition } from './rows.ts';

export const searchEvents = {
  FTS_INDEX_CREATED: 'Search index was created',
  FTS_INDEX_UPDATED: 'Search index was updated',
  FTS_INDEX_DELETED: 'Search index was deleted',
  FTS_INDEX_CLEANED_UP: 'Search index no longer exists on the nodes of the cluster',
  FTS_INDEX_BUILD_COMPLETE: 'Search index was built',
  FTS_INDEX_BUILD_FAILED: 'Build of a search index failed',
  FTS_INDEX_DELETION_FAILED: 'Deletion of a search index failed',
  FTS_INDEXES_SYNONYM_MAPPING_INVALID: 'Synonyms of a search index are invalid',
  FTS_INDEX_STALE: 'Search index is behind its collection',
  FTS_INDEXES_RESTORED: 'Search indexes were restored with their data',
  FTS_INDEXES_RESTORE_FAILED: 'Restore of search indexes failed',
  HOST_SEARCH_NODE_INDEX_FAILED: 'Search node could not build an index',
} as const satisfies EventTypes;

/** Whether the index can be queried with its present definition. */
export function isBuilt({ status }: { readonly status: SearchIndexStatus }): boolean {
  return status === 'READY' || status === 'STALE';
}

/** Maximum number of search indexes by size, for shared-tier clusters (docs/contract/clusters.md 4.2). */
const shared: Readonly<Record<string, number>> = { M0: 3, M2: 5, M5: 10, FLEX: 10 };

/** Throws if the cluster has reached its limit of search indexes. */
export function requireIndexLimit({ spec }: ClusterModel, there: number): void {
  const most = spec.tenant ? (shared[spec.instanceSize] ?? 10) : MAX_INDEXES;
  if (there >= most)
    throw badValue('name', `exceeds the limit of ${most} search indexes for this cluster size`);
}

/**
 * The oldest major version that supports each type. The first releases of 6.0 and 7.0 lack vector search, but the
 * releases that the service uses have it.
 */
const OLDEST: Readonly<Record<SearchIndexType, number>> = { search: 4.2, vectorSearch: 6 };

/** Throws for an invalid or internal database or collection. */
export function checkNamespace(database: string, collection: string): void {
  if (!isDatabaseName(database)) throw badValue('database', 'is not a valid database name');
  if (ownDatabases.has(database)) throw badValue('database', 'is an internal database of the cluster');
  const isPossible = isCollectionName(collection) && !collection.includes('$');
  if (!isPossible || isTooLong(`${database}.${collection}`)) {
    throw badValue('collectionName', 'is not a valid collection name');
  }
  if (collection.startsWith('system.'))
    throw badValue('collectionName', 'is an internal collection of the cluster');
}

/** Throws if a shared-tier cluster does not allow the custom analyzers or the number of synonym mappings. */
export function checkSharedSize({ analyzers, synonyms }: Definition, at: string): void {
  requireNoAnalyzers(analyzers);
  if (Array.isArray(synonyms) && synonyms.length > 1) {
    throw badValue(pathBelow(at, 'synonyms'), 'is limited to one mapping in a shared-tier cluster');
  }
}

/** Throws TENANT_CANNOT_DEFINE_ANALYZERS if there are custom analyzers, which shared-tier clusters do not allow. */
export function requireNoAnalyzers(analyzers: unknown): void {
  if (Array.isArray(analyzers) && analyzers.length > 0) throw searchFaults.TENANT_CANNOT_DEFINE_ANALYZERS();
}

/** Throws if the definition is that of another type of index, since the type of an index cannot change. */
export function requireType(type: SearchIndexType, definition: Definition, at: string): void {
  const [own, other] = type === 'search' ? ['mappings', 'fields'] : ['fields', 'mappings'];
  if (definition[own] !== undefined || definition[other] === undefined) return;
  throw badValue(pathBelow(at, other), `is not allowed in an index of the type ${type}`);
}

/** Throws if the search indexes of the cluster cannot be changed at the moment. */
export async function requireSearchable(
  tx: Tx,
  cluster: ClusterModel,
  type: SearchIndexType = 'search',
): Promise<void> {
  await admitWork(tx, cluster);
  const { majorVersion } = cluster.spec;
  const oldest = OLDEST[type];
  if (Number(majorVersion) < oldest)
    throw searchFaults.UNSUPPORTED_DB_VERSION_FOR_FTS(majorVersion, oldest.toFixed(1));
}

/**
 * Throws for an invalid new definition. The fault names the first invalid field, with `at` as prefix. Reading a definition
 * of `MAX_BYTES` takes about ten milliseconds.
 */
export function checkDefinition(
  type: SearchIndexType,
  definition: Definition,
  ofCluster: readonly CustomAnalyzer[],
  at: string,
): void {
  withFault(at, () => parseNewDefinition(type, definition, ofCluster));
}

/**
 * Throws if a definition is too large, or if it would be too large together with the other definitions of the cluster,
 * whose size is `others`.
 */
export function requireDefinitionSize(definition: Definition, others: number, at: string): void {
  const size = requireSize(definition, at);
  if (size > SMALL_BYTES && others + size > MAX_DEFINITIONS_BYTES)
    throw badValue(
      at,
      `would make the search index definitions of the cluster larger than ${MAX_DEFINITIONS_BYTES} bytes`,
    );
}

/** Smaller definitions are accepted in any case. The maximum number of indexes limits them. */
const SMALL_BYTES = 1024;

/** Like `checkDefinition`, for the definition of an existing index, which an earlier version may have accepted. */
export function checkStoredDefinition(
  type: SearchIndexType,
  definition: Definition,
  ofCluster: readonly CustomAnalyzer[],
  at: string,
): void {
  withFault(at, () => parseDefinition(type, definition, ofCluster));
}

export function readNewAnalyzers(analyzers: readonly Definition[]): readonly CustomAnalyzer[] {
  requireSize(analyzers, 'analyzers');
  return withFault('', () => newAnalyzers(analyzers, ''));
}

/** Parses the analyzers of a cluster, which an earlier version may have accepted. */
export function readStoredAnalyzers(analyzers: readonly Definition[]): readonly CustomAnalyzer[] {
  return withFault('', () => storedAnalyzers(analyzers, ''));
}

/**
 * Maximum size of a definition, and of the analyzers of a cluster, in bytes. The two together must not exceed
 * `MAX_DEFINITION_BYTES`.
 */
const MAX_BYTES = MAX_DEFINITION_BYTES / 2;

function requireSize(value: unknown, at: string): number {
  const size = Buffer.byteLength(JSON.stringify(value));
  if (size > MAX_BYTES) throw badValue(at, `is larger than ${MAX_BYTES} bytes`);
  return size;
}

function withFault<T>(at: string, read: () => T): T {
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
