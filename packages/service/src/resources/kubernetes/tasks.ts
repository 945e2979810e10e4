import { type EventTypes, system } from '../../events/index.ts';
import type { ForeignChange } from '../../kubernetes/index.ts';
import type { Tx } from '../../store/index.ts';
import { resultOf, step, type TaskKind } from '../../tasks/index.ts';
import {
  applyAccessAgain,
  type ClusterWork,
  clusterById,
  enqueueWork,
  isBehindAccess,
} from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import type { Services } from '../services.ts';

export const kubernetesEvents = {
  CLUSTER_RESOURCE_CHANGED:
    'Another client changed the Kubernetes resource of a cluster, and the service undid the change',
} as const satisfies EventTypes;

const PUT_BACK = { kind: 'kubernetes.putBack' };

/**
 * Enqueues a task that compares the resource of a cluster with its row, and a task that applies users and roles that
 * the servers lack. Several instances may notice the same change. Their tasks run one after another, and each task
 * compares again, so that only one event is recorded.
 */
export async function requestComparison(tx: Tx, id: string): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (await isBehindAccess(tx, id)) await applyAccessAgain(tx, id);
  if (cluster?.state === 'IDLE') await enqueueWork(tx, PUT_BACK, cluster, {}, { unlessWaiting: true });
}

/**
 * The comparison is a separate step, because the next step overwrites the changed fields, and records an event that
 * names these fields.
 */
const compare = step<ClusterWork, Services, ForeignChange | null>({
  name: 'compare',
  run: async ({ services, payload }) =>
    (await services.engines.resources?.foreignChange(payload.clusterId)) ?? null,
  async commit(tx, { payload }, change) {
    const cluster = await clusterById(tx, payload.clusterId);
    if (cluster?.state !== 'IDLE' || change === null) return;
    const who = change.managers.length === 0 ? 'others' : change.managers.join(', ');
    await recordInProject(tx, cluster.groupId, {
      ...{ type: 'CLUSTER_RESOURCE_CHANGED', actor: system, clusterName: cluster.name },
      details: { reason: `${who} changed ${change.fields.join(', ')}` },
    });
  },
});

/**
 * Maximum number of attempts. It is low, because a request that the Kubernetes API rejects must not delay changes of
 * the cluster, which wait in the same queue.
 */
const ATTEMPTS = 3;

/** Restores the fields that the service sets, after other clients have changed them. */
export const putBack: TaskKind<ClusterWork, Services> = {
  ...PUT_BACK,
  attempts: ATTEMPTS,
  steps: [
    compare,
    {
      name: 'put back',
      async run(context) {
        const { services, payload } = context;
        if (resultOf(context, compare) !== null) await services.engines.resources?.putBack(payload.clusterId);
      },
    },
  ],
};
