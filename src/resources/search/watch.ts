import type { MemberSamples, SearchSample } from '../../engine/engine.ts';
import type { ClusterModel } from '../clusters/index.ts';
import { runningOn } from '../clusters/index.ts';
import type { Background } from '../family.ts';
import { sampledRounds } from '../monitoring/index.ts';
import type { Services } from '../services.ts';
import { adopt, changedByDriver, droppedByDriver, vanished } from './changes.ts';
import { hasCollection, ifReachable, indexesOfCluster } from './engine-indexes.ts';
import { rowOf } from './find.ts';
import { type IndexRow, indexesOfClusters } from './rows.ts';

/** What drivers make of search indexes without this service: their samples say of which there are. */
export function watchIndexes(services: Services): Background {
  return sampledRounds(services, {
    failed: 'search indexes could not be looked at',
    at: (host) => lookAt(services, host),
  });
}

type Sampled = Readonly<SearchSample['indexes']>;

async function lookAt(services: Services, host: string): Promise<void> {
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
    if (sampled !== undefined && differ(own, sampled)) await reconcile(services, cluster, own);
  }
}

/** Undefined before the first sample. */
function sampledIn(members: readonly MemberSamples[]): Sampled | undefined {
  const last = members.flatMap(({ samples }) => samples.slice(-1));
  return last.length === 0
    ? undefined
    : Object.assign({}, ...last.map(({ search }) => search?.indexes ?? {}));
}

/** What the cluster should have, as far as this service knows. */
const isThere = ({ status }: IndexRow) => status === 'BUILDING' || status === 'READY' || status === 'STALE';

function differ(rows: readonly IndexRow[], sampled: Sampled): boolean {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const isNew = ([id, { version }]: [string, Sampled[string]]) => {
    const row = byId.get(id);
    return row === undefined || (version !== undefined && version > row.version);
  };
  return (
    Object.entries(sampled).some(isNew) || rows.some((row) => isThere(row) && sampled[row.id] === undefined)
  );
}

/** The sample may be older than what this service has done since: the cluster itself says what holds. */
async function reconcile(
  services: Services,
  cluster: ClusterModel,
  rows: readonly IndexRow[],
): Promise<void> {
  const all = await ifReachable(cluster, () => indexesOfCluster(services, cluster));
  if (all === undefined) return;
  const { store } = services;
  const byId = new Map(rows.map((row) => [row.id, row]));
  for (const found of all) {
    const row = byId.get(found.id);
    const now: IndexRow = { ...rowOf({ cluster, row, found }), status: 'BUILDING' };
    if (row === undefined) await store.write((tx) => adopt(tx, cluster, now));
    else if (now.version > row.version) await store.write((tx) => changedByDriver(tx, cluster, now));
  }
  const there = new Set(all.map(({ id }) => id));
  for (const row of rows.filter((one) => isThere(one) && !there.has(one.id))) {
    const isDropped = await hasCollection(services, cluster, row);
    await store.write((tx) => (isDropped ? droppedByDriver(tx, cluster, row) : vanished(tx, row)));
  }
}
