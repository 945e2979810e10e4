import type { Actor } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { resultOf, step, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { assertCan } from '../model/capabilities.ts';
import type { ClusterModel } from '../model/cluster.ts';
import { clusterFaults } from '../model/faults.ts';
import { stateAfter } from '../model/states.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { nextGeneration } from './changes.ts';
import { recordOn } from './events.ts';
import { failoverFaults } from './faults.ts';
import { clusterChanging } from './hooks.ts';
import { type ClusterWork, enqueueWork } from './work.ts';

const FAILOVER = { kind: 'cluster.failover' };

interface Failover extends ClusterWork {
  readonly generation: number;
}

/** Enqueues a failover of all primaries. Throws if the cluster does not allow it at the moment. */
export async function requestFailover(tx: Tx, cluster: ClusterModel, actor: Actor): Promise<void> {
  assertCan(cluster, 'failover');
  if (cluster.spec.tenant) throw failoverFaults.TENANT_CLUSTER_TEST_FAILOVER_NOT_SUPPORTED();
  if (cluster.state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(cluster.name);
  if (cluster.state === 'REPAIRING' || cluster.paused) {
    throw failoverFaults.CLUSTER_RESTART_INVALID(cluster.name);
  }
  if (cluster.state !== 'IDLE') throw failoverFaults.CLUSTER_RESTART_IN_PROGRESS(cluster.name);
  const changed = nextGeneration(cluster);
  await tx.publish(clusterChanging, { kind: 'failover', cluster: changed });
  await updateCluster(tx, changed);
  await recordOn(tx, cluster, 'TEST_FAILOVER_REQUESTED', actor);
  await enqueueWork<Failover>(tx, FAILOVER, cluster, { generation: changed.generation });
}

/**
 * Finds the primaries in a step of its own, whose result is stored. Otherwise, a retry of the next step would find the
 * new primaries, and make them step down too.
 */
const findPrimaries = step<Failover, Services, readonly string[]>({
  name: 'find primaries',
  async run({ services, store, payload }) {
    const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
    const deployment = cluster && (await services.engines.at(cluster.host).describe(cluster.id));
    return deployment?.primaries ?? [];
  },
});

/** Makes the primaries step down. */
export const failOver: TaskKind<Failover, Services> = {
  ...FAILOVER,
  steps: [
    findPrimaries,
    {
      name: 'step down',
      async run(context) {
        const { services, store, payload } = context;
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (cluster === undefined) return;
        const engine = services.engines.at(cluster.host);
        for (const primary of resultOf(context, findPrimaries)) {
          await engine.failover(cluster.id, primary);
        }
      },
      commit: (tx, { payload }) => end(tx, payload),
    },
  ],
  // After a failed failover, the cluster has the same primaries as before. Only the state UPDATING must end.
  onFailed: (tx, { payload }) => end(tx, payload),
};

async function end(tx: Tx, { clusterId, generation }: Failover): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  // If the cluster has changed in the meantime, the task of that change sets the next state.
  if (cluster?.state !== 'UPDATING' || cluster.generation !== generation) return;
  await updateCluster(tx, { ...cluster, state: stateAfter(cluster, 'applied') });
}
