import type { Deployment } from '../../engine/engine.ts';
import { system } from '../../events/index.ts';
import { addCount, type ReadTx, type Tx } from '../../store/index.ts';
import type { TaskContext, TaskKind } from '../../tasks/index.ts';
import { groupCounters } from '../projects/index.ts';
import type { Services } from '../services.ts';
import { accessOf } from './access.ts';
import { APPLY, APPLY_ACCESS, REMOVE, recordOn } from './changes.ts';
import { recount } from './lists.ts';
import type { ClusterModel, Placement } from './model.ts';
import { clusterById, deleteCluster, updateCluster } from './rows.ts';
import { move } from './rules.ts';
import { deploymentOf } from './topology.ts';

type Context = TaskContext<Services, { clusterId: string }>;

/**
 * Brings the deployment of a cluster to what its row asks for: nodes, version, running or paused. It reads the row when
 * it runs, so the last of several changes wins whichever task comes first.
 */
export const applyCluster: TaskKind<{ clusterId: string }, Services> = {
  ...APPLY,
  steps: [
    {
      name: 'deploy',
      run: deploy,
      commit: (tx, { payload }, result) => deployed(tx, payload.clusterId, result as Applied),
    },
  ],
  onFailed: (tx, { payload }, error) => troubled(tx, payload.clusterId, error),
};

interface Applied {
  readonly generation: number;
  readonly deployment: Deployment;
}

async function deploy({ services, store, payload }: Context): Promise<Applied | undefined> {
  const wanted = await store.read((tx) => read(tx, services, payload.clusterId));
  if (!wanted) return undefined;
  const { cluster, access } = wanted;
  const engine = services.engines.at(cluster.host);
  const spec = deploymentOf(cluster, access);
  await engine.provision(spec);
  await engine.reconfigure(spec);
  const deployment = cluster.paused ? await engine.pause(cluster.id) : await engine.resume(cluster.id);
  if (deployment.state === 'failed') throw new Error(deployment.message ?? 'the deployment does not run');
  return { generation: cluster.generation, deployment };
}

/** The cluster and who may use it; nothing when it is gone or on its way out. */
async function read(tx: ReadTx, { secrets }: Services, id: string) {
  const cluster = await clusterById(tx, id);
  if (!cluster || cluster.state === 'DELETING') return undefined;
  return { cluster, access: await accessOf(tx, secrets, cluster) };
}

async function deployed(tx: Tx, id: string, applied: Applied | undefined): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (!applied || !cluster || cluster.state === 'DELETING') return;
  // Changed meanwhile: the task of that change is waiting behind this one, and the state is its to end.
  const current = applied.generation === cluster.generation;
  const finished = current && cluster.state !== 'IDLE';
  await updateCluster(tx, {
    ...cluster,
    state: finished ? move(cluster, 'applied') : cluster.state,
    placement: placed(cluster.placement, applied.deployment, tx.now),
    accessRevision: Math.max(cluster.accessRevision, applied.deployment.accessRevision),
  });
  if (finished) {
    const type = cluster.state === 'CREATING' ? 'CLUSTER_READY' : 'CLUSTER_UPDATE_COMPLETED';
    await recordOn(tx, cluster, type, system);
  }
}

function placed({ mark, members, updated }: Placement, deployment: Deployment, now: Date): Placement {
  const same = JSON.stringify(members) === JSON.stringify(deployment.members);
  return { mark, members: deployment.members, updated: same && updated ? updated : now.toISOString() };
}

/** Tried to the end without success: the state stays where it is, and the reason stands beside it. */
async function troubled(tx: Tx, id: string, error: Error): Promise<void> {
  const cluster = await clusterById(tx, id);
  if (cluster)
    await updateCluster(tx, { ...cluster, placement: { ...cluster.placement, problem: error.message } });
}

/** Brings the users and addresses of a project to one of its clusters. */
export const applyAccess: TaskKind<{ clusterId: string }, Services> = {
  ...APPLY_ACCESS,
  steps: [
    {
      name: 'set access',
      async run({ services, store, payload }) {
        const wanted = await store.read((tx) => read(tx, services, payload.clusterId));
        // A cluster without a deployment yet gets the current access when it is made.
        if (!wanted) return undefined;
        const engine = services.engines.at(wanted.cluster.host);
        if (!(await engine.describe(payload.clusterId))) return undefined;
        return (await engine.setAccess(payload.clusterId, wanted.access)).accessRevision;
      },
      async commit(tx, { payload }, revision) {
        const cluster = await clusterById(tx, payload.clusterId);
        if (!cluster || typeof revision !== 'number' || revision <= cluster.accessRevision) return;
        await updateCluster(tx, { ...cluster, accessRevision: revision });
      },
    },
  ],
};

/** Ends a deployment, deletes its data, then the row. */
export const removeCluster: TaskKind<{ clusterId: string }, Services> = {
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
        if (cluster) await forget(tx, cluster);
      },
    },
  ],
  onFailed: (tx, { payload }, error) => troubled(tx, payload.clusterId, error),
};

async function forget(tx: Tx, cluster: ClusterModel): Promise<void> {
  await deleteCluster(tx, cluster.id);
  await addCount(tx, groupCounters(cluster.groupId), 'clusters', -1);
  await recount(tx, cluster.groupId, cluster.spec, undefined);
  await recordOn(tx, cluster, 'CLUSTER_DELETED', system);
}
