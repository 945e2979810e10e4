import { isDeepStrictEqual } from 'node:util';
import type {
  CustomAnalyzer,
  SearchIndexStatus,
  SearchIndexType,
  SynonymMappingStatus,
} from '@portolan/engine/management';
import { type Actor, system } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { type ClusterModel, type ClusterWork, enqueueWork } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { deploymentOf } from './deployment/rows.ts';
import { searchFaults } from './faults.ts';
import { namedAnalyzers } from './named-analyzers.ts';
import { readDefinition } from './read-definition.ts';
import {
  analyzersOf,
  countIndexes,
  type Definition,
  deleteIndex,
  type IndexHead,
  type IndexRow,
  indexById,
  indexesOf,
  indexNamed,
  insertIndex,
  saveAnalyzers,
  updateIndex,
} from './rows.ts';
import {
  checkNamespace,
  isBuilt,
  readStoredAnalyzers,
  requireIndexLimit,
  requireNoAnalyzers,
  requireSearchable,
  type searchEvents,
} from './rules.ts';

export const APPLY = { kind: 'search.apply' };
export const FOLLOW = { kind: 'search.follow' };

/** Retry interval while the collection of an index does not exist. */
const RETRY_MS = 10_000;

type EventType = keyof typeof searchEvents;

/** The payload of this family's tasks. */
export interface SearchWork extends ClusterWork {
  readonly indexId: string;
  /** The version of the definition. Each later change has its own task. */
  readonly version: number;
  /** Whether a restore created the index. */
  readonly restored?: boolean;
}

export interface NewIndex {
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  /** The requested type; undefined for the default, `search`. */
  readonly type: SearchIndexType | undefined;
  readonly definition: Definition;
}

/**
 * Creates an index. `existing` contains the names of those indexes on the collection that drivers have created. `at` is
 * the path of the definition in the body.
 */
export async function createIndex(
  tx: Tx,
  cluster: ClusterModel,
  { type: named, ...rest }: NewIndex,
  {
    actor,
    at,
    existing,
  }: { readonly actor: Actor; readonly at: string; readonly existing: readonly string[] },
): Promise<IndexRow> {
  const index = { ...rest, type: named ?? 'search', isUntyped: named === undefined };
  await requireSearchable(tx, cluster, index.type);
  const { database, collection, name } = index;
  checkNamespace(database, collection);
  const taken = await indexNamed(tx, { ...index, clusterId: cluster.id });
  if (existing.includes(name) || taken !== undefined) {
    throw searchFaults.PLATFORM_FTS_DUPLICATE_INDEX(name, `${database}.${collection}`);
  }
  requireIndexLimit(cluster, await countIndexes(tx, cluster.id));
  const id = tx.id();
  const row: IndexRow = {
    ...index,
    definition: await readDefinition(tx, cluster, { ...index, id }, { at }),
    id,
    groupId: cluster.groupId,
    clusterId: cluster.id,
    version: 0,
    versionCreated: tx.now,
    status: 'PENDING',
  };
  await insertIndex(tx, row);
  await record(tx, cluster, 'FTS_INDEX_CREATED', actor);
  await enqueueSearchWork(tx, APPLY, cluster, row);
  return row;
}

/**
 * Deletes another row with the same name, whose index the cluster no longer has. Returns false if that row still has
 * pending work.
 */
async function replaceObsolete(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<boolean> {
  const other = await indexNamed(tx, { ...row, clusterId: cluster.id });
  if (other === undefined || other.id === row.id) return true;
  if (other.status === 'PENDING' || other.status === 'DELETING') return false;
  await deleteIndex(tx, other);
  await record(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
  return true;
}

/**
 * Creates the row of an index that a driver created. Returns undefined if a row with pending work has the same name.
 */
export async function recordCreatedByDriver(
  tx: Tx,
  cluster: ClusterModel,
  row: IndexRow,
): Promise<IndexRow | undefined> {
  const existing = await indexById(tx, row);
  if (existing !== undefined) {
    await recordChangedByDriver(tx, cluster, row);
    return existing.version < row.version && existing.status !== 'DELETING' ? row : existing;
  }
  if (!(await replaceObsolete(tx, cluster, row))) return undefined;
  await insertIndex(tx, row);
  await record(tx, cluster, 'FTS_INDEX_CREATED', system);
  await followBuild(tx, cluster, row);
  return row;
}

/** Records that a driver changed the definition of an index. */
export async function recordChangedByDriver(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  const existing = await indexById(tx, row);
  if (existing === undefined || existing.status === 'DELETING' || existing.version >= row.version) return;
  await updateIndex(tx, row);
  await record(tx, cluster, 'FTS_INDEX_UPDATED', system);
  await followBuild(tx, cluster, row);
}

/** Records that a driver dropped an index. */
export async function recordDroppedByDriver(tx: Tx, cluster: ClusterModel, row: IndexHead): Promise<void> {
  const existing = await indexById(tx, row);
  if (existing === undefined || existing.status === 'DELETING' || existing.version !== row.version) return;
  await deleteIndex(tx, row);
  await record(tx, cluster, 'FTS_INDEX_DELETED', system);
  await record(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
}

async function followBuild(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  await enqueueSearchWork(tx, FOLLOW, cluster, row);
}

export async function changeIndex(
  tx: Tx,
  cluster: ClusterModel,
  row: IndexRow,
  definition: Definition,
  {
    actor,
    at,
    ofCluster,
  }: { readonly actor: Actor; readonly at: string; readonly ofCluster?: readonly CustomAnalyzer[] },
): Promise<IndexRow> {
  await requireSearchable(tx, cluster);
  if (row.status === 'DELETING') throw searchFaults.PLATFORM_FTS_INDEX_NOT_FOUND(row.name);
  const changed: IndexRow = {
    ...row,
    definition: await readDefinition(tx, cluster, { ...row, definition }, { at, ofCluster }),
    version: row.version + 1,
    versionCreated: tx.now,
    status: 'PENDING',
    message: undefined,
  };
  await updateIndex(tx, changed);
  await record(tx, cluster, 'FTS_INDEX_UPDATED', actor);
  await enqueueSearchWork(tx, APPLY, cluster, changed);
  return changed;
}

/**
 * Requests the deletion of an index. The row is deleted once the cluster has dropped the index. Repeating the request
 * has no effect.
 */
export async function removeIndex(tx: Tx, cluster: ClusterModel, row: IndexRow, actor: Actor): Promise<void> {
  await requireSearchable(tx, cluster);
  if (row.status === 'DELETING') return;
  const removed: IndexRow = { ...row, status: 'DELETING' };
  await updateIndex(tx, removed);
  await record(tx, cluster, 'FTS_INDEX_DELETED', actor);
  await enqueueSearchWork(tx, APPLY, cluster, removed);
}

/** Replaces the custom analyzers of a cluster, and rebuilds the indexes that use a changed analyzer. */
export async function changeAnalyzers(
  tx: Tx,
  cluster: ClusterModel,
  analyzers: readonly Definition[],
  actor: Actor,
): Promise<void> {
  await requireSearchable(tx, cluster);
  if (cluster.spec.tenant) requireNoAnalyzers(analyzers);
  const before = await analyzersOf(tx, cluster.id);
  await saveAnalyzers(tx, cluster, analyzers);
  const named = (all: readonly Definition[]) => new Map(all.map((one) => [one.name as string, one]));
  const [old, now] = [named(before), named(analyzers)];
  const changed = [...old.keys(), ...now.keys()].filter(
    (name) => !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  const ofCluster = readStoredAnalyzers(analyzers);
  for (const row of await indexesOf(tx, cluster.id)) {
    const naming = namedAnalyzers(row.definition);
    if (changed.some((name) => naming.has(name)) && row.status !== 'DELETING') {
      await changeIndex(tx, cluster, row, row.definition, { actor, at: `index ${row.name}`, ofCluster });
    }
  }
}

/** Records that the cluster has accepted a change, and enqueues a task that follows the build. */
export async function markBuilding(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  if (row.status === 'DELETING') {
    await deleteIndex(tx, row);
    await record(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
  } else {
    await updateIndex(tx, { ...row, status: 'BUILDING', message: undefined });
    await followBuild(tx, cluster, row);
  }
}

/** The result of a build, as the cluster reports it. */
export interface BuildEnd {
  readonly status: SearchIndexStatus;
  readonly message?: string | undefined;
  readonly synonyms?: SynonymMappingStatus | undefined;
}

/**
 * Records the end of a build; `restored` marks an index from a restore. An index that is already `STALE` was built, and
 * became stale, since the previous poll. The events of both changes are then recorded.
 */
export async function recordBuildEnd(
  tx: Tx,
  cluster: ClusterModel,
  row: IndexRow,
  end: BuildEnd,
  restored = false,
): Promise<void> {
  if (end.status === 'STALE') {
    await recordBuildEnd(tx, cluster, row, { ...end, status: 'READY', message: undefined }, restored);
    await updateBuilt(tx, cluster, row, end);
    return;
  }
  const { status, message, synonyms } = end;
  await updateIndex(tx, { ...row, status, message, synonyms });
  if (status === 'FAILED') {
    await buildFailed(tx, cluster, restored ? 'FTS_INDEXES_RESTORE_FAILED' : 'FTS_INDEX_BUILD_FAILED');
  } else await record(tx, cluster, 'FTS_INDEX_BUILD_COMPLETE', system);
  if (synonyms === 'FAILED') await record(tx, cluster, 'FTS_INDEXES_SYNONYM_MAPPING_INVALID', system);
}

/**
 * Records that a build has failed. If the cluster has search nodes, they build the indexes, so the failure is also
 * recorded for the nodes.
 */
async function buildFailed(tx: Tx, cluster: ClusterModel, type: EventType): Promise<void> {
  await record(tx, cluster, type, system);
  if ((await deploymentOf(tx, cluster.id)) !== undefined)
    await record(tx, cluster, 'HOST_SEARCH_NODE_INDEX_FAILED', system);
}

/** Records the status that the cluster reports for a built index. */
export async function updateBuilt(
  tx: Tx,
  cluster: ClusterModel,
  known: IndexHead,
  { status, message, synonyms }: BuildEnd,
): Promise<void> {
  const row = await indexById(tx, known);
  if (row === undefined || row.version !== known.version || !isBuilt(row)) return;
  await updateIndex(tx, { ...row, status, message, synonyms });
  if (status === 'STALE' && row.status === 'READY') await record(tx, cluster, 'FTS_INDEX_STALE', system);
  if (synonyms === 'FAILED' && row.synonyms !== 'FAILED')
    await record(tx, cluster, 'FTS_INDEXES_SYNONYM_MAPPING_INVALID', system);
}

/**
 * Records the indexes that a restore has created, and that are being rebuilt. Deletes all other rows, unless they have
 * pending work.
 */
export async function restored(tx: Tx, cluster: ClusterModel, rows: readonly IndexRow[]): Promise<void> {
  const restoredIds = new Set(rows.map(({ id }) => id));
  for (const row of await indexesOf(tx, cluster.id)) {
    // Keep rows with pending changes, because the task of each change updates its row.
    if (restoredIds.has(row.id) || row.status === 'PENDING' || row.status === 'DELETING' || isAwaiting(row))
      continue;
    await deleteIndex(tx, row);
    await record(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
  }
  if (rows.length === 0) return;
  for (const row of rows) {
    const existing = await indexById(tx, row);
    // Skip rows with pending changes, because the task of each change updates its row.
    if (existing?.status === 'DELETING' || existing?.status === 'PENDING') continue;
    if (!(await replaceObsolete(tx, cluster, row))) continue;
    const now: IndexRow = { ...row, status: 'BUILDING' };
    await (existing === undefined ? insertIndex(tx, now) : updateIndex(tx, now));
    await enqueueSearchWork(tx, FOLLOW, cluster, now, { restored: true });
  }
  await record(tx, cluster, 'FTS_INDEXES_RESTORED', system);
}

const NO_COLLECTION = 'the collection does not exist';

/** Whether the index waits until its collection exists. */
function isAwaiting({ status, message }: IndexRow): boolean {
  return status === 'DOES_NOT_EXIST' && message === NO_COLLECTION;
}

/** Records that the collection of the index does not exist, and schedules another attempt. */
export async function retryWithoutCollection(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  await updateIndex(tx, { ...row, status: 'DOES_NOT_EXIST', message: NO_COLLECTION });
  await enqueueSearchWork(tx, APPLY, cluster, row, { runAt: new Date(tx.now.getTime() + RETRY_MS) });
}

/** Records that the cluster has rejected a change. */
export async function recordRejection(
  tx: Tx,
  cluster: ClusterModel,
  row: IndexRow,
  message: string,
): Promise<void> {
  await updateIndex(tx, { ...row, status: 'FAILED', message });
  if (row.status === 'DELETING') await record(tx, cluster, 'FTS_INDEX_DELETION_FAILED', system);
  else await buildFailed(tx, cluster, 'FTS_INDEX_BUILD_FAILED');
}

/** Records that an index no longer exists, usually together with its collection. */
export async function markMissing(tx: Tx, row: IndexHead): Promise<void> {
  const existing = await indexById(tx, row);
  if (existing === undefined || existing.status === 'DELETING' || existing.version !== row.version) return;
  await updateIndex(tx, { ...existing, status: 'DOES_NOT_EXIST' });
}

async function record(tx: Tx, { groupId, name }: ClusterModel, type: EventType, actor: Actor): Promise<void> {
  await recordInProject(tx, groupId, { type, actor, clusterName: name });
}

/**
 * Enqueues a task. The changes of one index run in order. The tasks that follow builds have another queue, so that
 * builds do not block changes.
 */
async function enqueueSearchWork(
  tx: Tx,
  kind: { readonly kind: string },
  cluster: ClusterModel,
  { id, version }: IndexRow,
  { runAt, restored }: { readonly runAt?: Date; readonly restored?: boolean } = {},
): Promise<void> {
  const queue = kind === APPLY ? `search:${id}` : `search:${id}:${version}`;
  // A delayed task has its own queue, so that it does not block other tasks.
  const at = runAt === undefined ? { queue: queue } : { queue: `${queue}:again`, runAt };
  const details = { indexId: id, version, ...(restored === true && { restored }) };
  await enqueueWork<SearchWork>(tx, kind, cluster, details, at);
}
