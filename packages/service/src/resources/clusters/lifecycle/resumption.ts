import { system } from '../../../events/index.ts';
import type { TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { clusterById } from '../rows.ts';
import { changeCluster } from './changes.ts';
import { lastResumed, RESUME, type Resumption } from './dated-work.ts';

/** Ends a pause after its maximum duration. */
export const resumeCluster: TaskKind<Resumption, Services> = {
  ...RESUME,
  steps: [
    {
      name: 'resume',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster?.paused || cluster.state === 'DELETING') return;
        if (lastResumed(cluster) !== payload.before) return;
        await changeCluster(tx, cluster, { paused: false, resumed: tx.now }, system);
      },
    },
  ],
};
