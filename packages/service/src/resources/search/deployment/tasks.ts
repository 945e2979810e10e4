import { NotYet, step, type TaskKind } from '../../../tasks/index.ts';
import { type ClusterWork, clusterById } from '../../clusters/index.ts';
import type { Services } from '../../services.ts';
import { APPLY_NODES, markApplied } from './changes.ts';
import { deploymentOf } from './rows.ts';

/** Polling interval while the cluster is being created. */
const WAIT_MS = 500;

/** Starts or ends the search threads of a cluster. */
export const applyNodes: TaskKind<ClusterWork, Services> = {
  ...APPLY_NODES,
  steps: [
    step({
      name: 'start nodes',
      async run({ services, store, payload }): Promise<number | undefined> {
        const { cluster, row } = await store.read(async (tx) => ({
          cluster: await clusterById(tx, payload.clusterId),
          row: await deploymentOf(tx, payload.clusterId),
        }));
        if (cluster === undefined || row === undefined) return undefined;
        if (cluster.state === 'CREATING') throw new NotYet(WAIT_MS, 'the cluster is being created');
        const count = row.state === 'DELETING' ? 0 : row.nodeCount;
        await services.engines.at(cluster.host).setSearchNodes(cluster.id, count);
        return row.revision;
      },
      async commit(tx, { payload }, revision) {
        if (revision !== undefined) await markApplied(tx, payload.clusterId, revision);
      },
    }),
  ],
  attempts: Number.POSITIVE_INFINITY,
};
