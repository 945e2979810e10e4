import { subscribe, type Tx } from '../../store/index.ts';
import { NotYet, step, type TaskKind } from '../../tasks/index.ts';
import { dataRestored } from '../backup/index.ts';
import { type ClusterModel, type ClusterWork, can, clusterById, enqueueWork } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { restored } from './changes.ts';
import { type EngineIndex, indexesOfCluster } from './engine-indexes.ts';
import { rowOf } from './find.ts';

const RESTORED = { kind: 'search.restored' };

/** Polling interval while the cluster does not accept commands. */
const WAIT_MS = 500;

/**
 * Enqueues a task that records the search indexes of a restored cluster. The cluster rebuilds them, since snapshots
 * contain the definitions of search indexes but not their data.
 */
export const followRestores = subscribe(dataRestored, async (tx, { clusterId }) => {
  const cluster = await clusterById(tx, clusterId);
  if (cluster === undefined || !can(cluster, 'search')) return;
  await enqueueWork<ClusterWork>(tx, RESTORED, cluster, {}, { queue: 'search' });
});

/** Records the search indexes that a restored cluster has. */
export const recordRestored: TaskKind<ClusterWork, Services> = {
  ...RESTORED,
  steps: [
    step({
      name: 'look',
      async run({ services, store, payload }): Promise<readonly EngineIndex[]> {
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (cluster === undefined) return [];
        if (cluster.paused) throw new NotYet(WAIT_MS, 'the cluster is paused');
        return indexesOfCluster(services, cluster);
      },
      async commit(tx, { payload }, found) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster !== undefined) await recordFound(tx, cluster, found);
      },
    }),
  ],
  attempts: Number.POSITIVE_INFINITY,
};

async function recordFound(tx: Tx, cluster: ClusterModel, found: readonly EngineIndex[]): Promise<void> {
  const rows = found.map((index) => rowOf({ cluster, row: undefined, found: index }));
  await restored(tx, cluster, rows);
}
