import { subscribe, type Tx } from '../../store/index.ts';
import { NotYet, type TaskKind } from '../../tasks/index.ts';
import { dataRestored } from '../backup/index.ts';
import { type ClusterModel, type ClusterWork, clusterById, enqueueWork } from '../clusters/index.ts';
import type { Services } from '../services.ts';
import { restored } from './changes.ts';
import { type EngineIndex, indexesOfCluster } from './engine-indexes.ts';
import { rowOf } from './find.ts';

const RESTORED = { kind: 'search.restored' };

/** Until the cluster can be spoken to. */
const WAIT_MS = 500;

/** Definitions are in every snapshot, and what is indexed is not: it is built again. */
export const followRestores = subscribe(dataRestored, async (tx, { clusterId }) => {
  const cluster = await clusterById(tx, clusterId);
  if (cluster !== undefined) await enqueueWork<ClusterWork>(tx, RESTORED, cluster, {}, { beside: 'search' });
});

/** Learns which search indexes a restore has brought. */
export const takeRestored: TaskKind<ClusterWork, Services> = {
  ...RESTORED,
  steps: [
    {
      name: 'look',
      async run({ services, store, payload }): Promise<readonly EngineIndex[]> {
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (cluster === undefined) return [];
        if (cluster.paused) throw new NotYet(WAIT_MS, 'the cluster is paused');
        return indexesOfCluster(services, cluster);
      },
      async commit(tx, { payload }, found) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster !== undefined) await take(tx, cluster, found as readonly EngineIndex[]);
      },
    },
  ],
  attempts: Number.POSITIVE_INFINITY,
};

async function take(tx: Tx, cluster: ClusterModel, found: readonly EngineIndex[]): Promise<void> {
  const rows = found.map((index) => rowOf({ cluster, row: undefined, found: index }));
  await restored(tx, cluster, rows);
}
