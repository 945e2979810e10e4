import { isDeepStrictEqual } from 'node:util';
import type { SearchIndexStatus, SearchIndexType, SynonymMappingStatus } from '@portolan/engine/management';
import { type Actor, system } from '../../events/index.ts';
import type { Tx } from '../../store/index.ts';
import { type ClusterModel, type ClusterWork, enqueueWork } from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { deploymentOf } from './deployment/rows.ts';
import { namedAnalyzers } from './named-analyzers.ts';
import {
  analyzersOf,
  type Definition,
  deleteIndex,
  type IndexRow,
  indexById,
  indexesOf,
  insertIndex,
  saveAnalyzers,
  updateIndex,
} from './rows.ts';
import {
  checkDefinition,
  checkPartitions,
  checkPlace,
  checkShared,
  isBuilt,
  requireRoom,
  requireSearchable,
  type searchEvents,
  searchFaults,
} from './rules.ts';

export const APPLY = { kind: 'search.apply' };
export const FOLLOW = { kind: 'search.follow' };

/** A collection that was not there is looked for so often. */
const AGAIN_MS = 10_000;

type EventType = keyof typeof searchEvents;

/** What the tasks of this family are told. */
export interface SearchWork extends ClusterWork {
  readonly indexId: string;
  /** Of the definition; what was changed since has a task of its own. */
  readonly version: number;
  /** A restore has brought it. */
  readonly restored?: boolean;
}

export interface NewIndex {
  readonly database: string;
  readonly collection: string;
  readonly name: string;
  readonly type: SearchIndexType;
  readonly definition: Definition;
}

/** `there`: the names of those that drivers have made on the collection; `at`: where the definition stands in the body. */
export async function createIndex(
  tx: Tx,
  cluster: ClusterModel,
  index: NewIndex,
  { actor, at, there }: { readonly actor: Actor; readonly at: string; readonly there: readonly string[] },
): Promise<IndexRow> {
  requireSearchable(cluster, index.type);
  const rows = await indexesOf(tx, cluster.id);
  const { database, collection, name } = index;
  checkPlace(database, collection);
  if (there.includes(name) || rows.some((row) => isNamedAs(index, row))) {
    throw searchFaults.PLATFORM_FTS_DUPLICATE_INDEX(name, `${database}.${collection}`);
  }
  requireRoom(cluster, rows.length);
  await checkChange(tx, cluster, index, at);
  const row: IndexRow = {
    ...index,
    id: tx.id(),
    groupId: cluster.groupId,
    clusterId: cluster.id,
    version: 0,
    versionCreated: tx.now,
    status: 'PENDING',
  };
  await insertIndex(tx, row);
  await told(tx, cluster, 'FTS_INDEX_CREATED', actor);
  await work(tx, APPLY, cluster, row);
  return row;
}

async function checkChange(
  tx: Tx,
  { id, spec }: ClusterModel,
  { type, definition }: Pick<IndexRow, 'type' | 'definition'>,
  at: string,
): Promise<void> {
  checkDefinition(type, definition, await analyzersOf(tx, id), at);
  if (spec.tenant) checkShared(definition, at);
  checkPartitions(definition, (await deploymentOf(tx, id)) !== undefined, at);
}

type Named = Pick<NewIndex, 'collection' | 'database' | 'name'>;

function isNamedAs(one: Named, { database, collection, name }: Named): boolean {
  return one.database === database && one.collection === collection && one.name === name;
}

/** What the cluster has under a name takes the place of what it has no more; false while that is still worked at. */
async function takePlace(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<boolean> {
  const rows = await indexesOf(tx, cluster.id);
  const other = rows.find((one) => one.id !== row.id && isNamedAs(one, row));
  if (other === undefined) return true;
  if (other.status === 'PENDING' || other.status === 'DELETING') return false;
  await deleteIndex(tx, other);
  await told(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
  return true;
}

/** The row of an index that a driver has made: it is known from here on, unless another one of its name is in the way. */
export async function adopt(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<IndexRow | undefined> {
  const there = await indexById(tx, row);
  if (there !== undefined) {
    await changedByDriver(tx, cluster, row);
    return there.version < row.version && there.status !== 'DELETING' ? row : there;
  }
  if (!(await takePlace(tx, cluster, row))) return undefined;
  await insertIndex(tx, row);
  await told(tx, cluster, 'FTS_INDEX_CREATED', system);
  await followBuild(tx, cluster, row);
  return row;
}

/** A driver has given an index another definition. */
export async function changedByDriver(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  const there = await indexById(tx, row);
  if (there === undefined || there.status === 'DELETING' || there.version >= row.version) return;
  await updateIndex(tx, row);
  await told(tx, cluster, 'FTS_INDEX_UPDATED', system);
  await followBuild(tx, cluster, row);
}

/** A driver has dropped an index. */
export async function droppedByDriver(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  const there = await indexById(tx, row);
  if (there === undefined || there.status === 'DELETING' || there.version !== row.version) return;
  await deleteIndex(tx, row);
  await told(tx, cluster, 'FTS_INDEX_DELETED', system);
  await told(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
}

async function followBuild(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  await work(tx, FOLLOW, cluster, row);
}

export async function changeIndex(
  tx: Tx,
  cluster: ClusterModel,
  row: IndexRow,
  definition: Definition,
  { actor, at }: { readonly actor: Actor; readonly at: string },
): Promise<IndexRow> {
  requireSearchable(cluster);
  if (row.status === 'DELETING') throw searchFaults.PLATFORM_FTS_INDEX_NOT_FOUND(row.name);
  await checkChange(tx, cluster, { type: row.type, definition }, at);
  const changed: IndexRow = {
    ...row,
    definition,
    version: row.version + 1,
    versionCreated: tx.now,
    status: 'PENDING',
    message: undefined,
  };
  await updateIndex(tx, changed);
  await told(tx, cluster, 'FTS_INDEX_UPDATED', actor);
  await work(tx, APPLY, cluster, changed);
  return changed;
}

/** It is gone when the cluster has let go of it. Another deletion of the same one changes nothing. */
export async function removeIndex(tx: Tx, cluster: ClusterModel, row: IndexRow, actor: Actor): Promise<void> {
  requireSearchable(cluster);
  if (row.status === 'DELETING') return;
  const removed: IndexRow = { ...row, status: 'DELETING' };
  await updateIndex(tx, removed);
  await told(tx, cluster, 'FTS_INDEX_DELETED', actor);
  await work(tx, APPLY, cluster, removed);
}

/** The custom analyzers of a cluster; indexes that name one which has changed are built anew. */
export async function changeAnalyzers(
  tx: Tx,
  cluster: ClusterModel,
  analyzers: readonly Definition[],
  actor: Actor,
): Promise<void> {
  requireSearchable(cluster);
  const before = await analyzersOf(tx, cluster.id);
  await saveAnalyzers(tx, cluster, analyzers);
  const named = (all: readonly Definition[]) => new Map(all.map((one) => [one.name as string, one]));
  const [old, now] = [named(before), named(analyzers)];
  const changed = [...old.keys(), ...now.keys()].filter(
    (name) => !isDeepStrictEqual(old.get(name), now.get(name)),
  );
  for (const row of await indexesOf(tx, cluster.id)) {
    const naming = namedAnalyzers(row.definition);
    if (changed.some((name) => naming.has(name)) && row.status !== 'DELETING') {
      await changeIndex(tx, cluster, row, row.definition, { actor, at: `index ${row.name}` });
    }
  }
}

/** The cluster has taken what was asked for; it is followed until it is built. */
export async function applied(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  if (row.status === 'DELETING') {
    await deleteIndex(tx, row);
    await told(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
  } else {
    await updateIndex(tx, { ...row, status: 'BUILDING', message: undefined });
    await followBuild(tx, cluster, row);
  }
}

/** What the cluster says of a build that has ended. */
export interface BuildEnd {
  readonly status: SearchIndexStatus;
  readonly message?: string | undefined;
  readonly synonyms?: SynonymMappingStatus | undefined;
}

/**
 * `restored`: it is one that a restore has brought. The cluster is looked at now and then: one that is found `STALE` was
 * built before, and both are told.
 */
export async function built(
  tx: Tx,
  cluster: ClusterModel,
  row: IndexRow,
  end: BuildEnd,
  restored = false,
): Promise<void> {
  if (end.status === 'STALE') {
    await built(tx, cluster, row, { ...end, status: 'READY', message: undefined }, restored);
    await followed(tx, cluster, row, end);
    return;
  }
  const { status, message, synonyms } = end;
  await updateIndex(tx, { ...row, status, message, synonyms });
  if (status === 'FAILED') {
    await buildFailed(tx, cluster, restored ? 'FTS_INDEXES_RESTORE_FAILED' : 'FTS_INDEX_BUILD_FAILED');
  } else await told(tx, cluster, 'FTS_INDEX_BUILD_COMPLETE', system);
  if (synonyms === 'FAILED') await told(tx, cluster, 'FTS_INDEXES_SYNONYM_MAPPING_INVALID', system);
}

/** Where a cluster has search nodes, it is they who build. */
async function buildFailed(tx: Tx, cluster: ClusterModel, type: EventType): Promise<void> {
  await told(tx, cluster, type, system);
  if ((await deploymentOf(tx, cluster.id)) !== undefined)
    await told(tx, cluster, 'HOST_SEARCH_NODE_INDEX_FAILED', system);
}

/** What the cluster says of an index that was built, whose collection it follows, or no more. */
export async function followed(
  tx: Tx,
  cluster: ClusterModel,
  known: IndexRow,
  { status, message, synonyms }: BuildEnd,
): Promise<void> {
  const row = await indexById(tx, known);
  if (row === undefined || row.version !== known.version || !isBuilt(row)) return;
  await updateIndex(tx, { ...row, status, message, synonyms });
  if (status === 'STALE' && row.status === 'READY') await told(tx, cluster, 'FTS_INDEX_STALE', system);
  if (synonyms === 'FAILED' && row.synonyms !== 'FAILED')
    await told(tx, cluster, 'FTS_INDEXES_SYNONYM_MAPPING_INVALID', system);
}

/** A restore has brought these, which are built anew, and has taken all others away. */
export async function restored(tx: Tx, cluster: ClusterModel, rows: readonly IndexRow[]): Promise<void> {
  const brought = new Set(rows.map(({ id }) => id));
  for (const row of await indexesOf(tx, cluster.id)) {
    // What is asked for has a task of its own.
    if (brought.has(row.id) || row.status === 'PENDING' || row.status === 'DELETING' || isAwaiting(row))
      continue;
    await deleteIndex(tx, row);
    await told(tx, cluster, 'FTS_INDEX_CLEANED_UP', system);
  }
  if (rows.length === 0) return;
  for (const row of rows) {
    const there = await indexById(tx, row);
    // What was asked for meanwhile has a task of its own.
    if (there?.status === 'DELETING' || there?.status === 'PENDING') continue;
    if (!(await takePlace(tx, cluster, row))) continue;
    const now: IndexRow = { ...row, status: 'BUILDING' };
    await (there === undefined ? insertIndex(tx, now) : updateIndex(tx, now));
    await work(tx, FOLLOW, cluster, now, { restored: true });
  }
  await told(tx, cluster, 'FTS_INDEXES_RESTORED', system);
}

const NO_COLLECTION = 'the collection does not exist';

/** It has never been built, and is as soon as its collection is there. */
function isAwaiting({ status, message }: IndexRow): boolean {
  return status === 'DOES_NOT_EXIST' && message === NO_COLLECTION;
}

/** There is no such collection yet: it is tried again, in case somebody makes it. */
export async function withoutCollection(tx: Tx, cluster: ClusterModel, row: IndexRow): Promise<void> {
  await updateIndex(tx, { ...row, status: 'DOES_NOT_EXIST', message: NO_COLLECTION });
  await work(tx, APPLY, cluster, row, { runAt: new Date(tx.now.getTime() + AGAIN_MS) });
}

/** The cluster does not do what was asked for. */
export async function refused(tx: Tx, cluster: ClusterModel, row: IndexRow, message: string): Promise<void> {
  await updateIndex(tx, { ...row, status: 'FAILED', message });
  if (row.status === 'DELETING') await told(tx, cluster, 'FTS_INDEX_DELETION_FAILED', system);
  else await buildFailed(tx, cluster, 'FTS_INDEX_BUILD_FAILED');
}

/** A collection, and its index with it, may be gone. */
export async function vanished(tx: Tx, row: IndexRow): Promise<void> {
  const there = await indexById(tx, row);
  if (there === undefined || there.status === 'DELETING' || there.version !== row.version) return;
  await updateIndex(tx, { ...there, status: 'DOES_NOT_EXIST' });
}

async function told(tx: Tx, { groupId, name }: ClusterModel, type: EventType, actor: Actor): Promise<void> {
  await recordInProject(tx, groupId, { type, actor, clusterName: name });
}

/** Changes of one index follow each other; a build holds none of them back. */
async function work(
  tx: Tx,
  kind: { readonly kind: string },
  cluster: ClusterModel,
  { id, version }: IndexRow,
  { runAt, restored }: { readonly runAt?: Date; readonly restored?: boolean } = {},
): Promise<void> {
  const line = kind === APPLY ? `search:${id}` : `search:${id}:${version}`;
  // What waits for a date holds nothing else up.
  const at = runAt === undefined ? { beside: line } : { beside: `${line}:again`, runAt };
  const details = { indexId: id, version, ...(restored === true && { restored }) };
  await enqueueWork<SearchWork>(tx, kind, cluster, details, at);
}
