import { type Actor, system } from '../../events/index.ts';
import { addCount, type Tx } from '../../store/index.ts';
import {
  type ClusterModel,
  type ClusterWork,
  clusterById,
  clusterCounters,
  enqueueWork,
} from '../clusters/index.ts';
import { recordInProject } from '../projects/index.ts';
import { outageFaults } from './faults.ts';
import { deleteOutage, insertOutage, type OutageRow, outageOf, updateOutage } from './rows.ts';
import { membersIn, type outageEvents } from './rules.ts';
import { type OutageMove, type OutageState, type Region, stateAfter } from './states.ts';

export const START = { kind: 'outage.start' };
export const END = { kind: 'outage.end' };
export const EXPIRE = { kind: 'outage.expire' };
export const DELETE = { kind: 'outage.forget' };

/** The payload of this family's tasks. */
export interface OutageWork extends ClusterWork {
  readonly outageId: string;
}

const DAY_MS = 86_400_000;
/** Maximum duration of a simulation, which docs/contract/clusters.md 7 does not specify. */
const MAX_DURATION_MS = 3 * DAY_MS;
/** How long a completed simulation can be read. The time is long enough for a client that polls every 30 seconds. */
const READABLE_MS = 60_000;

/**
 * Outages have their own queue, because a change in the cluster's queue may be waiting for a majority of members. Only
 * the end of the outage restores this majority.
 */
const OUTAGE_QUEUE = { queue: 'outage' };

/** Requests an outage of these regions, after `checkStart`. Throws if another simulation has not ended. */
export async function requestOutage(
  tx: Tx,
  cluster: ClusterModel,
  regions: readonly Region[],
): Promise<OutageRow> {
  const former = await outageOf(tx, cluster.id);
  if (former !== undefined && former.state !== 'COMPLETE') {
    throw outageFaults.INVALID_CLUSTER_OUTAGE_SIMULATION_STATE(former.state, 'COMPLETE');
  }
  if (former !== undefined) await deleteOutage(tx, former.id);
  const row: OutageRow = {
    id: tx.id(),
    groupId: cluster.groupId,
    clusterId: cluster.id,
    clusterName: cluster.name,
    state: 'START_REQUESTED',
    regions,
    cut: membersIn(cluster, regions),
    requested: tx.now,
    majorityLost: false,
  };
  await insertOutage(tx, row);
  await enqueueOutageWork(tx, START, row);
  return row;
}

/** Requests the end of a simulation. Throws if the simulation is not in the state SIMULATING. */
export async function requestEnd(tx: Tx, row: OutageRow, actor: Actor): Promise<OutageRow> {
  const ending = await end(tx, row, 'end', actor);
  if (ending === undefined) {
    throw outageFaults.INVALID_CLUSTER_OUTAGE_SIMULATION_STATE(row.state, 'SIMULATING');
  }
  return ending;
}

/** Ends a simulation whose cluster is paused or moves its members. Does nothing if the simulation is already ending. */
export async function abandon(
  tx: Tx,
  row: OutageRow,
  why: keyof typeof outageEvents = 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_END_REQUESTED',
): Promise<void> {
  await end(tx, row, 'abandon', system, why);
}

async function end(
  tx: Tx,
  row: OutageRow,
  move: 'end' | 'abandon',
  actor: Actor,
  type: keyof typeof outageEvents = 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_END_REQUESTED',
): Promise<OutageRow | undefined> {
  const ending = await transition(tx, row, move);
  if (ending === undefined) return undefined;
  await record(tx, ending, type, actor);
  await enqueueOutageWork(tx, END, ending);
  return ending;
}

/** Records that the members have stopped. `majorityLost` says whether a replica set now has no primary. */
export async function markSimulating(tx: Tx, row: OutageRow, majorityLost: boolean): Promise<void> {
  const cut = await transition(tx, { ...row, majorityLost }, 'cut');
  if (cut === undefined) return;
  await count(tx, cut, 1);
  await record(tx, cut, 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_STARTED', system);
  await enqueueOutageWork(tx, EXPIRE, cut, new Date(tx.now.getTime() + MAX_DURATION_MS));
}

/** Records that the members run again. */
export async function markComplete(tx: Tx, row: OutageRow): Promise<void> {
  const complete = await transition(tx, row, 'complete');
  if (complete === undefined) return;
  await record(tx, complete, 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_COMPLETED', system);
  await enqueueOutageWork(tx, DELETE, complete, new Date(tx.now.getTime() + READABLE_MS));
}

/** Moves to the next state. Returns undefined if the state does not allow the transition. */
export async function transition(tx: Tx, row: OutageRow, move: OutageMove): Promise<OutageRow | undefined> {
  const state = stateAfter(row.state, move);
  if (state === undefined) return undefined;
  const moved = { ...row, state };
  await updateOutage(tx, moved);
  if (isInEffect(row.state) && !isInEffect(state)) await count(tx, row, -1);
  return moved;
}

/** Whether an outage is in effect: its members have stopped, and do not run again yet. */
function isInEffect(state: OutageState): boolean {
  return state === 'SIMULATING' || state === 'RECOVERY_REQUESTED' || state === 'RECOVERING';
}

async function count(tx: Tx, { clusterId, majorityLost }: OutageRow, more: 1 | -1): Promise<void> {
  await addCount(tx, clusterCounters.outages, clusterId, more);
  if (majorityLost) await addCount(tx, clusterCounters.lostMajorities, clusterId, more);
}

async function record(tx: Tx, row: OutageRow, type: keyof typeof outageEvents, actor: Actor): Promise<void> {
  await recordInProject(tx, row.groupId, { type, actor, clusterName: row.clusterName });
}

/** Enqueues a task that runs on an instance that can reach the host of the cluster. */
async function enqueueOutageWork(
  tx: Tx,
  kind: { readonly kind: string },
  row: OutageRow,
  runAt?: Date,
): Promise<void> {
  const cluster = await clusterById(tx, row.clusterId);
  if (cluster === undefined) return;
  const at =
    runAt === undefined
      ? OUTAGE_QUEUE
      : { queue: `outage:${row.id}:${kind.kind}`, runAt, onAnyInstance: true };
  await enqueueWork<OutageWork>(tx, kind, cluster, { outageId: row.id }, at);
}
