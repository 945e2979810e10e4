import type { SearchIndexStatus } from '@portolan/engine/management';
import { isPlainObject } from '../../api/schema/json-schema.ts';
import type { VersionOnHost } from './engine-indexes.ts';
import { type KnownIndex, rowOf } from './find.ts';
import type { Definition, IndexRow } from './rows.ts';

type Synonyms = Pick<VersionOnHost, 'synonymMappingStatus' | 'synonymMappingStatusDetail'>;

/** Presents the version of an index definition that a host has. Converts numbers of BSON types to JSON numbers. */
function presentVersion({
  definition,
  definitionVersion,
  message,
  queryable,
  status,
  ...rest
}: VersionOnHost) {
  return {
    definition,
    definitionVersion: { ...definitionVersion, version: Number(definitionVersion.version) },
    message,
    queryable,
    status,
    ...synonymsOf(rest),
  };
}

function synonymsOf({ synonymMappingStatus, synonymMappingStatusDetail }: Synonyms) {
  return { synonymMappingStatus, synonymMappingStatusDetail };
}

/** Whether the cluster has reported the status of the latest definition. */
function isCurrent({ row, found }: KnownIndex): boolean {
  if (found === undefined || row?.status === 'DELETING') return false;
  return Number(found.latestDefinitionVersion.version) >= (row?.version ?? 0);
}

/** States of an index that exists in the cluster. */
const presentStates: readonly SearchIndexStatus[] = ['BUILDING', 'READY', 'STALE'];

function statusOf(known: KnownIndex): SearchIndexStatus {
  const { row, found, responded } = known;
  if (isCurrent(known) && row?.status !== 'FAILED') return found?.status ?? 'PENDING';
  const status = row?.status ?? 'PENDING';
  // If the cluster has responded, but does not report the index, then the index or its collection was dropped.
  return responded && found === undefined && presentStates.includes(status) ? 'DOES_NOT_EXIST' : status;
}

/** Presents an index in the current shape. If `isUntyped` is true, the vendor's form omits `type`. */
export function presentIndex(known: KnownIndex) {
  const { id, database, collection, name, type, isUntyped, definition, version, versionCreated } =
    rowOf(known);
  const { found, row } = known;
  const isDeleting = row?.status === 'DELETING';
  return {
    collectionName: collection,
    database,
    indexID: id,
    latestDefinition: definition,
    latestDefinitionVersion: { createdAt: versionCreated, version },
    name,
    queryable: !isDeleting && (found?.queryable ?? false),
    status: statusOf(known),
    type,
    isUntyped,
    ...synonymsOf(found ?? {}),
    statusDetail: detailOf(known),
  };
}

/**
 * Presents the definition of a row that the cluster does not have yet. `message` says why the cluster does not have it.
 */
function versionOf({ definition, version, versionCreated, message }: IndexRow, status: SearchIndexStatus) {
  const definitionVersion = { createdAt: versionCreated, version };
  return { definition, definitionVersion, message, queryable: false, status };
}

/**
 * Returns the status of the index on each host. A host that is unreachable or lacks the index shows the latest
 * definition.
 */
function detailOf(known: KnownIndex) {
  const { found, row, hosts } = known;
  const isDeleting = row?.status === 'DELETING';
  if (found === undefined) {
    const status = statusOf(known);
    const mainIndex = row?.message === undefined ? undefined : versionOf(row, status);
    return hosts?.map((hostname) => ({ hostname, mainIndex, queryable: false, status }));
  }
  return found.statusDetail.map(({ hostname, status, queryable, mainIndex, stagedIndex }) => ({
    hostname,
    mainIndex: mainIndex && presentVersion(mainIndex),
    queryable: queryable && !isDeleting,
    stagedIndex: stagedIndex && presentVersion(stagedIndex),
    status: isDeleting ? ('DELETING' as const) : status,
  }));
}

/** The names of states in the legacy shape. */
const legacy = {
  PENDING: 'IN_PROGRESS',
  BUILDING: 'IN_PROGRESS',
  READY: 'STEADY',
  STALE: 'STALE',
  FAILED: 'FAILED',
  DELETING: 'IN_PROGRESS',
  DOES_NOT_EXIST: 'FAILED',
} as const satisfies Readonly<Record<SearchIndexStatus, string>>;

/**
 * Like `presentLegacy`, for read operations. If the mappings have no fields, read operations return `fields` as null
 * (docs/contract/clusters.md 4.1).
 */
export function presentLegacyRead(known: KnownIndex) {
  const shown = presentLegacy(known);
  const { mappings } = rowOf(known).definition;
  return isPlainObject(mappings) ? { ...shown, mappings: { fields: null, ...mappings } } : shown;
}

/** Presents an index in the legacy shape, which has the fields of the definition at top level. */
export function presentLegacy(known: KnownIndex) {
  const { id, database, collection, name, type, isUntyped, definition } = rowOf(known);
  const own = type === 'search' ? { synonyms: [] } : {};
  return {
    ...own,
    ...(definition as Definition),
    collectionName: collection,
    database,
    indexID: id,
    name,
    status: known.cluster.paused ? ('PAUSED' as const) : legacy[statusOf(known)],
    type,
    isUntyped,
  };
}
