import type { MemberSamples, SearchSample } from '@portolan/engine/interface/engine';
import type { Tx } from '../../store/index.ts';
import type { ClusterModel } from '../clusters/index.ts';
import { runningOn } from '../clusters/index.ts';
import type { Background } from '../family.ts';
import { sampledRounds } from '../monitoring/index.ts';
import type { Services } from '../services.ts';
import { adopt, changedByDriver, droppedByDriver, followed, vanished } from './changes.ts';
import { hasCollection, ifReachable, indexesOfCluster, indexesOfCollection } from './engine-indexes.ts';
import { rowOf } from './find.ts';
import { type IndexRow, indexesOfClusters } from './rows.ts';
import { isBuilt } from './rules.ts';

/** What becomes of search indexes without this service: samples of their clusters say which there are, and how they are. */
export function watchIndexes(services: Services): Background {
  const watching = { ...services, warned: new Set<string>() };
  return sampledRounds(services, {
    failed: 'search indexes could not be looked at',
    at: (host) => lookAt(watching, host),
  });
}

interface Watching extends Services {
  /** The indexes whose rows could not be written when they were looked at last: rounds do not repeat it. */
  readonly warned: Set<string>;
}

/** What cannot be written of one index holds up nothing that is to be written of others. */
async function byItself(
  { log, store, warned }: Watching,
  { id, clusterId, name }: IndexRow,
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const which = `${clusterId}/${id}`;
  try {
    await store.write(work);
    warned.delete(which);
  } catch (error) {
    if (warned.has(which)) return;
    warned.add(which);
    log.warn({ cluster: clusterId, index: id, name, reason: String(error) }, 'a search index cannot be kept');
  }
}

type Sampled = Pick<SearchSample, 'indexes' | 'stopped'>;

async function lookAt(services: Watching, host: string): Promise<void> {
  const { store, engines } = services;
  const { clusters, rows } = await store.read(async (tx) => {
    const running = await runningOn(tx, host);
    return {
      clusters: running,
      rows: await indexesOfClusters(
        tx,
        running.map(({ id }) => id),
      ),
    };
  });
  if (clusters.length === 0) return;
  const newest = Map.groupBy(
    await engines.at(host).newestSamples(clusters.map(({ id }) => id)),
    ({ id }) => id,
  );
  for (const cluster of clusters) {
    const own = rows.get(cluster.id) ?? [];
    const sampled = sampledIn(newest.get(cluster.id) ?? []);
    // One that is being restored, say, is looked at when its data are in their place.
    if (sampled === undefined || cluster.state === 'UPDATING') continue;
    if (differ(own, sampled)) await reconcile(services, cluster, own);
    for (const row of own) if (hasChanged(row, sampled)) await lookAgain(services, cluster, row);
  }
}

/** Undefined before the first sample. */
function sampledIn(members: readonly MemberSamples[]): Sampled | undefined {
  const last = members.flatMap(({ samples }) => samples.slice(-1));
  return last.length === 0
    ? undefined
    : {
        indexes: Object.assign({}, ...last.map(({ search }) => search?.indexes)),
        ...Object.assign({}, ...last.map(({ search }) => search && { stopped: search.stopped })),
      };
}

/** Whether an index that was built follows no more, or again, or has other synonyms. */
function hasChanged(row: IndexRow, { indexes, stopped }: Sampled): boolean {
  const index = indexes[row.id];
  if (index === undefined || index.version !== row.version || !isBuilt(row)) return false;
  const stale = stopped ?? index.stale;
  const { synonyms } = index;
  return stale !== row.message || (synonyms !== undefined && synonyms !== row.synonyms);
}

async function lookAgain(services: Watching, cluster: ClusterModel, row: IndexRow): Promise<void> {
  const { database, collection } = row;
  const all = await ifReachable(cluster, () => indexesOfCollection(services, cluster, database, collection));
  const found = all?.find(({ id }) => id === row.id);
  if (found === undefined || Number(found.latestDefinitionVersion.version) !== row.version) return;
  const { status, message, synonymMappingStatus: synonyms } = found;
  if (isBuilt(found))
    await byItself(services, row, (tx) => followed(tx, cluster, row, { status, message, synonyms }));
}

/** What the cluster should have, as far as this service knows. */
const isThere = (row: IndexRow) => row.status === 'BUILDING' || isBuilt(row);

function differ(rows: readonly IndexRow[], { indexes: sampled }: Sampled): boolean {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isNew = ([id, { version }]: [string, Sampled['indexes'][string]]) => {
    const row = byId.get(id);
    return row === undefined || (version !== undefined && version > row.version);
  };
  return (
    Object.entries(sampled).some(isNew) || rows.some((row) => isThere(row) && sampled[row.id] === undefined)
  );
}

/** The sample may be older than what this service has done since: the cluster itself says what holds. */
async function reconcile(
  services: Watching,
  cluster: ClusterModel,
  rows: readonly IndexRow[],
): Promise<void> {
  const all = await ifReachable(cluster, () => indexesOfCluster(services, cluster));
  if (all === undefined) return;
  const byId = new Map(rows.map((row) => [row.id, row]));
  const there = new Set(all.map(({ id }) => id));
  // First, as another one may have the same name now.
  for (const row of rows.filter((one) => isThere(one) && !there.has(one.id))) {
    const isDropped = await hasCollection(services, cluster, row);
    await byItself(services, row, (tx) =>
      isDropped ? droppedByDriver(tx, cluster, row) : vanished(tx, row),
    );
  }
  for (const found of all) {
    const row = byId.get(found.id);
    const now: IndexRow = { ...rowOf({ cluster, row, found }), status: 'BUILDING' };
    if (row === undefined) await byItself(services, now, (tx) => adopt(tx, cluster, now));
    else if (now.version > row.version)
      await byItself(services, now, (tx) => changedByDriver(tx, cluster, now));
  }
}
