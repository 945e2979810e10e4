import type { MemberSamples, SearchSample } from '@portolan/engine/interface/engine';
import { inBatches } from '@portolan/foundation/in-batches';
import type { Tx } from '../../store/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import { can, runningOn } from '../clusters/index.ts';
import type { Background } from '../family.ts';
import { sampledRounds } from '../monitoring/index.ts';
import type { Services } from '../services.ts';
import {
  markMissing,
  recordChangedByDriver,
  recordCreatedByDriver,
  recordDroppedByDriver,
  updateBuilt,
} from './changes.ts';
import {
  type EngineIndex,
  hasCollection,
  ifReachable,
  indexesOfCluster,
  indexesOfCollection,
} from './engine-indexes.ts';
import { rowOf } from './find.ts';
import { headsOfClusters, type IndexHead, type IndexRow } from './rows.ts';
import { isBuilt } from './rules.ts';

/**
 * Updates the rows of search indexes when drivers change the indexes. The service notices such changes in the samples
 * of the cluster.
 */
export function watchIndexes(services: Services): Background {
  const watching = { ...services, warned: new Set<string>(), round: 0 };
  return sampledRounds(services, {
    failed: 'checking search indexes failed',
    at: (host) => checkHost(watching, host),
    end: async () => {
      watching.round++;
    },
  });
}

/** Number of rounds between two lists of indexes from a cluster whose samples do not contain search indexes. */
const LIST_EVERY = 6;

interface WatchContext extends Services {
  /** Indexes whose rows could not be written at the last attempt. Each failure is logged only once. */
  readonly warned: Set<string>;
  readonly round: number;
}

/** Writes the changes of each index in a separate transaction. If a write fails, other indexes are not affected. */
async function writeIndependently(
  { log, store, warned }: WatchContext,
  { id, clusterId, name }: IndexHead,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const which = `${clusterId}/${id}`;
  try {
    await store.write(work);
    warned.delete(which);
  } catch (error) {
    if (warned.has(which)) return;
    warned.add(which);
    log.warn(
      { cluster: clusterId, index: id, name, reason: String(error) },
      'a search index cannot be stored',
    );
  }
}

/** Number of clusters whose indexes are read without a pause. A cluster has at most a thousand indexes. */
const BATCH = 10;

type SampledIndexes = Pick<SearchSample, 'indexes' | 'stopped'>;

async function checkHost(services: WatchContext, host: string): Promise<void> {
  const { store, engines } = services;
  const clusters = await store.read((tx) => runningOn(tx, host));
  if (clusters.length === 0) return;
  const newest = Map.groupBy(
    await engines.at(host).newestSamples(clusters.map(({ id }) => id)),
    ({ id }) => id,
  );
  for (const batch of inBatches(clusters, BATCH)) {
    const ids = batch.map(({ id }) => id);
    const rows = await store.read((tx) => headsOfClusters(tx, ids));
    for (const cluster of batch) {
      const sampled = sampledIn(newest.get(cluster.id) ?? []);
      await checkCluster(services, cluster, rows.get(cluster.id) ?? [], sampled);
    }
  }
}

async function checkCluster(
  services: WatchContext,
  cluster: ClusterModel,
  own: readonly IndexHead[],
  sampled: SampledIndexes | undefined,
): Promise<void> {
  // Skip a cluster that is being changed. After a restore, for example, it is checked once its data is complete.
  if (cluster.state === 'UPDATING') return;
  if (!can(cluster, 'searchMetrics')) {
    // Skip servers under repair. They may not respond, and would delay the checks of other clusters.
    const isDue = services.round % LIST_EVERY === 0 && cluster.state === 'IDLE';
    if (isDue && can(cluster, 'search')) await compare(services, cluster, own);
    return;
  }
  if (sampled === undefined) return;
  if (differ(own, sampled)) await reconcile(services, cluster, own);
  for (const row of own) if (hasChanged(row, sampled)) await refresh(services, cluster, row);
}

/** Returns the indexes in the last sample; undefined before the first sample. */
function sampledIn(members: readonly MemberSamples[]): SampledIndexes | undefined {
  const last = members.flatMap(({ samples }) => samples.slice(-1));
  return last.length === 0
    ? undefined
    : {
        indexes: Object.assign({}, ...last.map(({ search }) => search?.indexes)),
        ...Object.assign({}, ...last.map(({ search }) => search && { stopped: search.stopped })),
      };
}

/**
 * Whether a built index has stopped following its collection, or follows it again, or whether the status of its
 * synonyms has changed.
 */
function hasChanged(row: IndexHead, { indexes, stopped }: SampledIndexes): boolean {
  const index = indexes[row.id];
  if (index === undefined || index.version !== row.version || !isBuilt(row)) return false;
  const stale = stopped ?? index.stale;
  const { synonyms } = index;
  return stale !== row.message || (synonyms !== undefined && synonyms !== row.synonyms);
}

/** Corrects the rows of a cluster whose samples do not contain its indexes. Lists the collections of the rows. */
async function compare(
  services: WatchContext,
  cluster: ClusterModel,
  rows: readonly IndexHead[],
): Promise<void> {
  const collections = new Map(rows.map((row) => [JSON.stringify([row.database, row.collection]), row]));
  const all = await ifReachable(cluster, async () => {
    const found: EngineIndex[] = [];
    for (const { database, collection } of collections.values())
      found.push(...(await indexesOfCollection(services, cluster, database, collection)));
    return found;
  });
  if (all === undefined) return;
  await reconcileWith(services, cluster, rows, all);
  for (const row of rows) await update(services, cluster, row, all);
}

async function refresh(services: WatchContext, cluster: ClusterModel, row: IndexHead): Promise<void> {
  const { database, collection } = row;
  const all = await ifReachable(cluster, () => indexesOfCollection(services, cluster, database, collection));
  await update(services, cluster, row, all ?? []);
}

/** Updates the status of a built index. `all` contains the indexes of its collection. */
async function update(
  services: WatchContext,
  cluster: ClusterModel,
  row: IndexHead,
  all: readonly EngineIndex[],
): Promise<void> {
  const found = all.find(({ id }) => id === row.id);
  if (found === undefined || Number(found.latestDefinitionVersion.version) !== row.version) return;
  const { status, message, synonymMappingStatus: synonyms } = found;
  if (status === row.status && message === row.message && synonyms === row.synonyms) return;
  if (isBuilt(found))
    await writeIndependently(services, row, (tx) =>
      updateBuilt(tx, cluster, row, { status, message, synonyms }),
    );
}

/** Whether the cluster should have the index, according to its row. */
const isExpected = (row: IndexHead) => row.status === 'BUILDING' || isBuilt(row);

function differ(rows: readonly IndexHead[], { indexes: sampled }: SampledIndexes): boolean {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isNew = ([id, { version }]: [string, SampledIndexes['indexes'][string]]) => {
    const row = byId.get(id);
    return row === undefined || (version !== undefined && version > row.version);
  };
  return (
    Object.entries(sampled).some(isNew) ||
    rows.some((row) => isExpected(row) && sampled[row.id] === undefined)
  );
}

/**
 * Corrects the rows according to the cluster's own list of indexes, since the sample may be older than the latest
 * changes by this service.
 */
async function reconcile(
  services: WatchContext,
  cluster: ClusterModel,
  rows: readonly IndexHead[],
): Promise<void> {
  const all = await ifReachable(cluster, () => indexesOfCluster(services, cluster));
  if (all !== undefined) await reconcileWith(services, cluster, rows, all);
}

async function reconcileWith(
  services: WatchContext,
  cluster: ClusterModel,
  rows: readonly IndexHead[],
  all: readonly EngineIndex[],
): Promise<void> {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const there = new Set(all.map(({ id }) => id));
  // Process removals first, since a new index may have the same name.
  for (const row of rows.filter((one) => isExpected(one) && !there.has(one.id))) {
    const isDropped = await hasCollection(services, cluster, row);
    await writeIndependently(services, row, (tx) =>
      isDropped ? recordDroppedByDriver(tx, cluster, row) : markMissing(tx, row),
    );
  }
  for (const found of all) {
    const head = byId.get(found.id);
    if (head !== undefined && Number(found.latestDefinitionVersion.version) <= head.version) continue;
    const isUntyped = head?.isUntyped ?? false;
    const now: IndexRow = { ...rowOf({ cluster, row: undefined, found }), isUntyped, status: 'BUILDING' };
    await writeIndependently(services, now, (tx) =>
      head === undefined ? recordCreatedByDriver(tx, cluster, now) : recordChangedByDriver(tx, cluster, now),
    );
  }
}
