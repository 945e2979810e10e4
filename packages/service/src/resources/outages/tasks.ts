import { system } from '../../events/index.ts';
import { NotYet, step, type TaskContext, type TaskKind } from '../../tasks/index.ts';
import {
  applyStops,
  awaitsMajority,
  clusterById,
  membersOf,
  restartNodes,
  setStopped,
} from '../clusters/index.ts';
import type { Services } from '../services.ts';
import {
  abandon,
  DELETE,
  END,
  EXPIRE,
  markComplete,
  markSimulating,
  type OutageWork,
  requestEnd,
  START,
  transition,
} from './changes.ts';
import { deleteOutage, outageById } from './rows.ts';

/** Polling interval while the cluster is being changed, or a port is in use. */
const WAIT_MS = 500;

/** Stops the members in the affected regions. */
export const startOutage: TaskKind<OutageWork, Services> = {
  ...START,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const row = await outageById(tx, payload.outageId);
        if (row && (await transition(tx, row, 'start'))) {
          await setStopped(tx, row.clusterId, 'outage', () => row.cut);
        }
      },
    },
    step({
      name: 'stop members',
      run: stopMembers,
      async commit(tx, { payload }, majorityLost) {
        const row = await outageById(tx, payload.outageId);
        if (row && majorityLost !== undefined) await markSimulating(tx, row, majorityLost);
      },
    }),
  ],
  async onFailed(tx, { payload }) {
    const row = await outageById(tx, payload.outageId);
    if (row) await abandon(tx, row, 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_FAILED_TO_START');
  },
};

/**
 * Stops the members. Returns whether a replica set has lost its primary; undefined if the simulation was abandoned in
 * the meantime.
 */
async function stopMembers(context: TaskContext<Services, OutageWork>): Promise<boolean | undefined> {
  const { services, store, payload } = context;
  const { row, cluster } = await store.read(async (tx) => ({
    row: await outageById(tx, payload.outageId),
    cluster: await clusterById(tx, payload.clusterId),
  }));
  if (row?.state !== 'STARTING' || cluster === undefined) return undefined;
  if (cluster.state !== 'IDLE') throw new NotYet(WAIT_MS, `the cluster is ${cluster.state}`);
  await applyStops(context);
  const replicaSets = new Set(membersOf(cluster).map(({ shard }) => shard)).size;
  const deployment = await services.engines.at(cluster.host).describe(cluster.id);
  return (deployment?.primaries.length ?? 0) < replicaSets;
}

/** Restarts the members, except those that are stopped for another reason. */
export const endOutage: TaskKind<OutageWork, Services> = {
  ...END,
  steps: [
    {
      name: 'begin',
      async commit(tx, { payload }) {
        const row = await outageById(tx, payload.outageId);
        if (row && (await transition(tx, row, 'recover'))) {
          await setStopped(tx, row.clusterId, 'outage', () => []);
        }
      },
    },
    {
      name: 'start members',
      async run(context) {
        await waitForChange(context);
        await restartNodes(context);
      },
      async commit(tx, { payload }) {
        const row = await outageById(tx, payload.outageId);
        if (row) await markComplete(tx, row);
      },
    },
  ],
  // Retry without limit if a node fails to start. The state remains RECOVERING, and the cluster shows the reason.
  attempts: Number.POSITIVE_INFINITY,
};

/** Waits until a change of the cluster has ended. Does not wait if the change itself waits for the stopped members. */
async function waitForChange({ services, store, payload }: TaskContext<Services, OutageWork>): Promise<void> {
  const cluster = await store.read((tx) => clusterById(tx, payload.clusterId));
  if (cluster?.state !== 'UPDATING') return;
  const deployment = await services.engines.at(cluster.host).describe(cluster.id);
  if (deployment !== undefined && awaitsMajority(cluster, deployment, services.clock.now())) return;
  throw new NotYet(WAIT_MS, 'the cluster is being changed');
}

/** Ends a simulation that has reached the maximum duration. */
export const expireOutage: TaskKind<OutageWork, Services> = {
  ...EXPIRE,
  steps: [
    {
      name: 'end',
      async commit(tx, { payload }) {
        const row = await outageById(tx, payload.outageId);
        if (row?.state === 'SIMULATING') await requestEnd(tx, row, system);
      },
    },
  ],
};

/** Deletes a simulation some time after it has completed. */
export const deleteCompleted: TaskKind<OutageWork, Services> = {
  ...DELETE,
  steps: [
    {
      name: 'forget',
      async commit(tx, { payload }) {
        await deleteOutage(tx, payload.outageId);
      },
    },
  ],
};
