import { EngineUnavailable } from '@portolan/engine/management';
import { errorMessage } from '@portolan/foundation/thrown';
import { system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { NotYet, PermanentFailure, step, type TaskKind } from '../../../tasks/index.ts';
import type { Services } from '../../services.ts';
import { hasTrait } from '../model/capabilities.ts';
import { clusterById, updateCluster } from '../rows.ts';
import { APPLY_ACCESS, hasAccess, recordAccessProblem, withAccessProblem } from './access.ts';
import { APPLY, forgetCluster, REMOVE, type Removal } from './changes.ts';
import { type Applied, type DeployContext, deploy, deployed, readDesiredState } from './deployments.ts';
import { recordOn } from './events.ts';
import { markLost } from './repairs.ts';
import type { ClusterWork } from './work.ts';

const ATTEMPTS = 5;

/**
 * Applies the row of a cluster to its deployment: nodes, version, and whether it runs or is paused. The task reads the
 * row when it runs. If there are several changes, the last one takes effect, in whatever order their tasks run.
 */
export const applyCluster: TaskKind<ClusterWork, Services> = {
  ...APPLY,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster?.state === 'UPDATING') await recordOn(tx, cluster, 'CLUSTER_UPDATE_STARTED', system);
      },
    },
    step({
      name: 'deploy',
      run: deployOrGiveUp,
      commit: (tx, { payload }, applied) => deployed(tx, payload.clusterId, applied),
    }),
  ],
  onFailed: (tx, { payload }, error) => failed(tx, payload.clusterId, error),
};

/**
 * Applies the row. After some failed attempts, a repair takes over. While the engine is unreachable, the task waits.
 */
async function deployOrGiveUp(context: DeployContext): Promise<Applied | undefined> {
  try {
    return await deploy(context);
  } catch (error) {
    if (error instanceof EngineUnavailable || error instanceof NotYet || context.attempt < ATTEMPTS)
      throw error;
    throw new PermanentFailure(errorMessage(error));
  }
}

/** Marks a failed deployment for repair, and records the reason. */
async function failed(tx: Tx, id: string, error: Error): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster && cluster.state !== 'DELETING' && cluster.state !== 'REPAIRING') {
    await markLost(tx, cluster, error.message);
  }
}

/** Applies the users and the access list of a project to one of its clusters. */
export const applyAccess: TaskKind<ClusterWork, Services> = {
  ...APPLY_ACCESS,
  steps: [
    step({
      name: 'set access',
      async run({ services, store, payload, attempt }) {
        const wanted = await store.read((tx) => readDesiredState(tx, services, payload.clusterId));
        // If the cluster has no deployment yet, it gets the current users and access list when the deployment is
        // created.
        if (!wanted || !hasAccess(wanted.cluster)) return undefined;
        const { cluster, access } = wanted;
        const isSeparate = hasTrait(cluster, 'separateServers');
        // If the servers do not respond now, they get the change when they respond again.
        if (isSeparate && cluster.state === 'REPAIRING') return undefined;
        const engine = services.engines.at(cluster.host);
        if (!(await engine.describe(cluster.id))) return undefined;
        try {
          const { accessRevision, accessProblem } = await engine.setAccess(cluster.id, access);
          return { revision: accessRevision, accessProblem: accessProblem ?? undefined };
        } catch (error) {
          if (!isSeparate || attempt < ATTEMPTS) throw error;
          // Store the problem instead of throwing it, since more retries would block other work on the cluster.
          return { revision: 0, accessProblem: errorMessage(error) };
        }
      },
      async commit(tx, { payload }, result) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster || result === undefined) return;
        const { revision, accessProblem } = result;
        const accessRevision = Math.max(revision, cluster.accessRevision);
        const placement = withAccessProblem(cluster.placement, accessProblem);
        const isSame = placement.accessProblem === cluster.placement.accessProblem;
        if (accessRevision === cluster.accessRevision && isSame) return;
        await recordAccessProblem(tx, cluster, placement);
        await updateCluster(tx, { ...cluster, accessRevision, placement });
      },
    }),
  ],
};

/** Removes the deployment and its data, then the row. */
export const removeCluster: TaskKind<Removal, Services> = {
  ...REMOVE,
  steps: [
    {
      name: 'remove',
      async run({ services, store, payload }) {
        const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
        if (cluster) await services.engines.at(cluster.host).remove(cluster.id);
      },
      async commit(tx, { payload }) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (cluster) await forgetCluster(tx, cluster, payload);
      },
    },
  ],
  async onFailed(tx, { payload }, error) {
    const cluster = await clusterById(tx, payload.clusterId);
    if (!cluster) return;
    await updateCluster(tx, { ...cluster, placement: { ...cluster.placement, problem: error.message } });
  },
};
