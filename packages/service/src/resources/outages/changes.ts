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
import { deleteOutage, insertOutage, type OutageRow, outageOf, updateOutage } from './rows.ts';
import { checkStart, membersIn, type outageEvents, outageFaults } from './rules.ts';
import { type OutageMove, type OutageState, type Region, stateAfter } from './states.ts';

export const START = { kind: 'outage.start' };
export const END = { kind: 'outage.end' };
export const EXPIRE = { kind: 'outage.expire' };
export const FORGET = { kind: 'outage.forget' };

/** What the tasks of this family are told. */
export interface OutageWork extends ClusterWork {
  readonly outageId: string;
}

const DAY_MS = 86_400_000;
/** It ends by itself (clusters-data reference 7: three days where nobody chooses). */
const LONGEST_MS = 3 * DAY_MS;
/** How long one that has ended can be read: whoever asks every half minute sees it once. */
const READABLE_MS = 60_000;

/**
 * Beside the line of the cluster's own work: a change that waits for a majority may be waiting for the end of this.
 */
const BESIDE = { beside: 'outage' };

/** Lets a task stop the members in these regions; throws where they cannot be stopped now. */
export async function requestOutage(
  tx: Tx,
  cluster: ClusterModel,
  regions: readonly Region[],
): Promise<OutageRow> {
  checkStart(cluster);
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
  await work(tx, START, row);
  return row;
}

/** Somebody wants it to end; throws where it is not there yet, or not any more. */
export async function requestEnd(tx: Tx, row: OutageRow, actor: Actor): Promise<OutageRow> {
  const ending = await end(tx, row, 'end', actor);
  if (ending === undefined) {
    throw outageFaults.INVALID_CLUSTER_OUTAGE_SIMULATION_STATE(row.state, 'SIMULATING');
  }
  return ending;
}

/** What it was about has changed: its nodes are paused, or stand elsewhere. Nothing where it is ending already. */
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
  const ending = await moveTo(tx, row, move);
  if (ending === undefined) return undefined;
  await record(tx, ending, type, actor);
  await work(tx, END, ending);
  return ending;
}

/** Its members are stopped: `majorityLost` says what the engine made of it. */
export async function begun(tx: Tx, row: OutageRow, majorityLost: boolean): Promise<void> {
  const cut = await moveTo(tx, { ...row, majorityLost }, 'cut');
  if (cut === undefined) return;
  await count(tx, cut, 1);
  await record(tx, cut, 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_STARTED', system);
  await work(tx, EXPIRE, cut, new Date(tx.now.getTime() + LONGEST_MS));
}

/** Its members run again. */
export async function ended(tx: Tx, row: OutageRow): Promise<void> {
  const complete = await moveTo(tx, row, 'complete');
  if (complete === undefined) return;
  await record(tx, complete, 'CLUSTER_REGIONAL_OUTAGE_SIMULATION_COMPLETED', system);
  await work(tx, FORGET, complete, new Date(tx.now.getTime() + READABLE_MS));
}

/** The row in the state that follows; nothing where the move is not open now. */
export async function moveTo(tx: Tx, row: OutageRow, move: OutageMove): Promise<OutageRow | undefined> {
  const state = stateAfter(row.state, move);
  if (state === undefined) return undefined;
  const moved = { ...row, state };
  await updateOutage(tx, moved);
  if (wasCut(row.state) && !wasCut(state)) await count(tx, row, -1);
  return moved;
}

/** Whether the lists over projects are told of it: from the moment that its members are stopped until they run again. */
function wasCut(state: OutageState): boolean {
  return state === 'SIMULATING' || state === 'RECOVERY_REQUESTED' || state === 'RECOVERING';
}

async function count(tx: Tx, { clusterId, majorityLost }: OutageRow, more: 1 | -1): Promise<void> {
  await addCount(tx, clusterCounters.outages, clusterId, more);
  if (majorityLost) await addCount(tx, clusterCounters.lostMajorities, clusterId, more);
}

async function record(tx: Tx, row: OutageRow, type: keyof typeof outageEvents, actor: Actor): Promise<void> {
  await recordInProject(tx, row.groupId, { type, actor, clusterName: row.clusterName });
}

/** A task of the host that the cluster is on. */
async function work(tx: Tx, kind: { readonly kind: string }, row: OutageRow, runAt?: Date): Promise<void> {
  const cluster = await clusterById(tx, row.clusterId);
  if (cluster === undefined) return;
  const at =
    runAt === undefined ? BESIDE : { beside: `outage:${row.id}:${kind.kind}`, runAt, anywhere: true };
  await enqueueWork<OutageWork>(tx, kind, cluster, { outageId: row.id }, at);
}
