import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { enqueue, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterById } from '../rows.ts';
import { changeCluster } from './changes.ts';

/** How long a cluster may be paused, by service time; then it runs again by itself. */
const MOST_DAYS = 30;
const DAY_MS = 86_400_000;

const RESUME = { kind: 'cluster.resume' };

/** `before`: when it was last resumed. A later date says that this pause has ended already. */
interface Payload {
  readonly clusterId: string;
  readonly before: string | null;
}

const lastResumed = ({ resumed }: ClusterModel) => resumed?.toISOString() ?? null;

/** Lets a task end a pause that nobody has ended by then. */
export async function resumeLater(tx: Tx, cluster: ClusterModel): Promise<void> {
  const runAt = new Date(tx.now.getTime() + MOST_DAYS * DAY_MS);
  const payload: Payload = { clusterId: cluster.id, before: lastResumed(cluster) };
  await enqueue(tx, RESUME, { key: `cluster:${cluster.id}:pause:${tx.now.getTime()}`, payload, runAt });
}

export const resumeCluster: TaskKind<Payload, Services> = {
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
