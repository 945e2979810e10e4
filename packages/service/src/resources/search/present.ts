import type { SearchIndexStatus } from '@portolan/engine/management';
import type { VersionOnHost } from './engine-indexes.ts';
import { type Known, rowOf } from './find.ts';
import type { Definition, IndexRow } from './rows.ts';

type Synonyms = Pick<VersionOnHost, 'synonymMappingStatus' | 'synonymMappingStatusDetail'>;

/** Of a definition version on a host; the numbers of BSON are numbers here. */
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

/** Whether what the cluster says is about what was asked for last. */
function isCurrent({ row, found }: Known): boolean {
  if (found === undefined || row?.status === 'DELETING') return false;
  return Number(found.latestDefinitionVersion.version) >= (row?.version ?? 0);
}

/** What was built, or is to be: it has been in the cluster. */
const carriedOut: readonly SearchIndexStatus[] = ['BUILDING', 'READY', 'STALE'];

function statusOf(known: Known): SearchIndexStatus {
  const { row, found, asked } = known;
  if (isCurrent(known) && row?.status !== 'FAILED') return found?.status ?? 'PENDING';
  const status = row?.status ?? 'PENDING';
  // Its collection has gone, or a driver has dropped it.
  return asked && found === undefined && carriedOut.includes(status) ? 'DOES_NOT_EXIST' : status;
}

/** The current shape. */
export function presentIndex(known: Known) {
  const { id, database, collection, name, type, definition, version, versionCreated } = rowOf(known);
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
    ...synonymsOf(found ?? {}),
    statusDetail: detailOf(known),
  };
}

/** What the cluster has not taken, and why. */
function versionOf({ definition, version, versionCreated, message }: IndexRow, status: SearchIndexStatus) {
  const definitionVersion = { createdAt: versionCreated, version };
  return { definition, definitionVersion, message, queryable: false, status };
}

/** Host by host; of hosts that have not got it, or cannot be asked, what was asked for last. */
function detailOf(known: Known) {
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

/** What the legacy shape calls the states; an index that is removed is still the one it was. */
const legacy = {
  PENDING: 'IN_PROGRESS',
  BUILDING: 'IN_PROGRESS',
  READY: 'STEADY',
  STALE: 'STALE',
  FAILED: 'FAILED',
  DELETING: 'IN_PROGRESS',
  DOES_NOT_EXIST: 'FAILED',
} as const satisfies Readonly<Record<SearchIndexStatus, string>>;

/** The legacy shape: what the definition holds stands beside the rest. */
export function presentLegacy(known: Known) {
  const { id, database, collection, name, type, definition } = rowOf(known);
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
  };
}
