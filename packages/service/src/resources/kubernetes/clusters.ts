import type { Clusters } from '../../kubernetes/index.ts';
import { clusterById, runningOn } from '../clusters/index.ts';
import { KUBERNETES_HOST } from '../engine-hosts/index.ts';
import type { Services } from '../services.ts';
import { requestComparison } from './tasks.ts';
import { wantedOf } from './wanted.ts';

/** Gives the engine for Kubernetes access to the rows of its clusters. */
export function clustersOnKubernetes({ store }: Pick<Services, 'store'>): Clusters {
  return {
    running: () => store.read(async (tx) => (await runningOn(tx, KUBERNETES_HOST)).map(({ id }) => id)),
    find: (id) =>
      store.read(async (tx) => {
        const cluster = await clusterById(tx, id);
        if (cluster?.host !== KUBERNETES_HOST) return undefined;
        return {
          wanted: wantedOf(cluster),
          isSettled: cluster.state === 'IDLE',
          isDeleting: cluster.state === 'DELETING',
        };
      }),
    changed: (id) => store.write((tx) => requestComparison(tx, id)),
  };
}
