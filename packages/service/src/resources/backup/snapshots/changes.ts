import type { OplogPosition } from '@portolan/engine/management';
import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import {
  type ClusterModel,
  type ClusterPlace,
  type ClusterWork,
  clusterById,
  clusterFaults,
  configServers,
  endRetention,
  enqueueWork,
  firstProvider,
  isSharded,
  replicaSetsOf,
  shownVersion,
} from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { forgetCopies, queueCopies } from '../copies/changes.ts';
import { guardDeletion, guardOnDemand, guardRetention, policyOf } from '../model/compliance/guard.ts';
import type { Retention } from '../model/retention.ts';
import { endOf } from '../model/retention.ts';
import {
  deleteSnapshot,
  hasSnapshots,
  hasUnfinished,
  insertSnapshot,
  isConcurrent,
  type Provider,
  type SnapshotItem,
  type SnapshotRow,
  snapshotById,
  snapshotsOf,
  updateSnapshot,
} from '../model/snapshots/rows.ts';
import { snapshotCompleted, snapshotForgotten } from '../model/snapshots/topics.ts';
import { rememberDeleted } from './deleted/rows.ts';
import { snapshotFaults } from './faults.ts';
import { rejectInUse } from './in-use.ts';
import { isFinished } from './rules.ts';

export const TAKE = { kind: 'backup.take' };
export const EXPIRE = { kind: 'backup.expire' };
export const FORGET = { kind: 'backup.forget' };

/**
 * The task queue for taking and removing snapshots of a cluster. Changes of the cluster have another queue, so that
 * snapshots do not delay them.
 */
const QUEUE = 'backup';

export interface SnapshotWork {
  readonly clusterId: string;
  readonly snapshotId: string;
}

/** `host` is absent in tasks that earlier versions enqueued. */
export interface ForgetWork extends ClusterWork {
  readonly host?: string;
}

/** Enqueues an on-demand snapshot. Throws if the cluster allows none at the moment. */
export async function requestSnapshot(
  tx: Tx,
  cluster: ClusterModel,
  wanted: { readonly description: string | undefined; readonly retention: Retention },
  actor: Actor,
): Promise<SnapshotRow> {
  const { name, state, paused } = cluster;
  if (state === 'DELETING') throw clusterFaults.CLUSTER_ALREADY_REQUESTED_DELETION(name);
  if (paused) throw clusterFaults.CANNOT_UPDATE_PAUSED_CLUSTER(name);
  await guardOnDemand(tx, cluster.groupId, wanted.retention);
  if (await hasUnfinished(tx, cluster.id)) throw snapshotFaults.UNFINISHED_ON_DEMAND_SNAPSHOT(name);
  const facts = { frequency: 'ondemand', ...wanted } as const;
  const expires = endOf(tx.now, wanted.retention);
  const row = await queueSnapshot(tx, cluster, { type: 'onDemand', expires, facts });
  await record(tx, 'CPS_ON_DEMAND_SNAPSHOT_REQUESTED', row, actor);
  return row;
}

/**
 * Enqueues the scheduled snapshot for the items that are due. The items are sorted by frequency, the least frequent
 * item last.
 */
export async function scheduleSnapshot(
  tx: Tx,
  cluster: ClusterModel,
  { due, items }: { readonly due: Date; readonly items: readonly SnapshotItem[] },
): Promise<void> {
  const retention = longest(items);
  const frequency = items.at(-1)?.frequency ?? 'hourly';
  const facts = { frequency, description: undefined, retention, due, items };
  await queueSnapshot(tx, cluster, { type: 'scheduled', expires: endOf(due, retention), facts });
}

/** If a snapshot was started less than this time ago, a gap causes no further snapshot. */
const GAP_PAUSE_MS = 3_600_000;

/**
 * Enqueues a snapshot with which the restore window begins again after a gap of the archived oplog. Does
 * nothing if a snapshot is queued or was started recently. Otherwise, a deployment with a small oplog would
 * be copied all the time.
 */
export async function snapshotAfterGap(tx: Tx, cluster: ClusterModel, retention: Retention): Promise<void> {
  if (cluster.paused || cluster.state === 'DELETING') return;
  const recent = tx.now.getTime() - GAP_PAUSE_MS;
  const rows = await snapshotsOf(tx, cluster.id);
  if (rows.some(({ status, facts }) => status === 'queued' || (facts.started?.getTime() ?? 0) > recent))
    return;
  const facts = {
    frequency: 'ondemand',
    description: 'after a gap of the archived oplog',
    retention,
  } as const;
  await queueSnapshot(tx, cluster, { type: 'onDemand', expires: endOf(tx.now, retention), facts });
}

function longest(items: readonly SnapshotItem[]): Retention {
  return { value: Math.max(...items.map(({ days }) => days)), unit: 'DAYS' };
}

async function queueSnapshot(
  tx: Tx,
  cluster: ClusterModel,
  request: Pick<SnapshotRow, 'type' | 'expires'> & {
    readonly facts: Omit<SnapshotRow['facts'], 'clusterName' | 'storageBytes' | 'sharded'>;
  },
): Promise<SnapshotRow> {
  const { groupId, name, host, spec } = cluster;
  const sharded = isSharded(spec) ? { sharded: shardedFacts(tx, cluster) } : {};
  const row: SnapshotRow = {
    ...request,
    id: tx.id(),
    groupId,
    clusterId: cluster.id,
    host,
    status: 'queued',
    created: undefined,
    facts: { clusterName: name, storageBytes: 0, ...request.facts, ...sharded },
  };
  await insertSnapshot(tx, row);
  const work = { snapshotId: row.id };
  await enqueueWork<SnapshotWork>(tx, TAKE, cluster, work, { queue: QUEUE });
  return row;
}

function shardedFacts(tx: Tx, cluster: ClusterModel) {
  const members = replicaSetsOf(cluster).map((replicaSet) => ({ id: tx.id(), ...replicaSet }));
  return { members, configServers: configServers(cluster.spec) };
}

export async function beginSnapshot(
  tx: Tx,
  row: SnapshotRow,
  cluster: ClusterModel | undefined,
): Promise<void> {
  const origin = cluster === undefined ? {} : originOf(cluster);
  const facts = { ...row.facts, ...origin, started: tx.now };
  await updateSnapshot(tx, { ...row, status: 'inProgress', facts });
  for (const type of ['CPS_SNAPSHOT_STARTED', 'CPS_SNAPSHOT_IN_PROGRESS_AUDIT'])
    await record(tx, type, row, system);
}

/** Returns the properties of the cluster that a snapshot records when it begins. */
export function originOf(cluster: ClusterModel): Pick<Taken, 'version' | 'provider'> {
  return { version: shownVersion(cluster), provider: firstProvider(cluster.spec) };
}

/** Records that the snapshot store may contain chunks of the snapshot. */
export async function recordAttempt(tx: Tx, snapshotId: string): Promise<void> {
  const row = await snapshotById(tx, snapshotId);
  if (row) await updateSnapshot(tx, { ...row, facts: { ...row.facts, tried: true } });
}

/** The properties of a snapshot that was taken. */
export interface Taken {
  readonly storageBytes: number;
  readonly version: string;
  readonly provider: Provider;
  readonly diskGB?: number;
  /** The position of the last operation. Undefined if the snapshot does not contain the state after an operation. */
  readonly position: OplogPosition | undefined;
  readonly consistency?: NonNullable<SnapshotRow['facts']['consistency']>;
  readonly encryption?: NonNullable<SnapshotRow['facts']['encryption']>;
}

export async function completeSnapshot(tx: Tx, row: SnapshotRow, taken: Taken): Promise<void> {
  const created = row.facts.due ?? tx.now;
  const expires = endOf(created, row.facts.retention);
  const complete: SnapshotRow = {
    ...row,
    status: 'completed',
    created,
    expires,
    facts: { ...row.facts, ...taken, ended: tx.now },
  };
  await updateSnapshot(tx, complete);
  for (const type of [`${kindOf(row)}_SUCCESSFUL`, 'CPS_SNAPSHOT_COMPLETED_AUDIT'])
    await record(tx, type, row, system);
  await queueCopies(tx, complete);
  await scheduleExpiry(tx, complete);
  await tx.publish(snapshotCompleted, complete);
}

export async function failSnapshot(tx: Tx, row: SnapshotRow, problem: string): Promise<void> {
  await updateSnapshot(tx, { ...row, status: 'failed', facts: { ...row.facts, problem } });
  await record(tx, `${kindOf(row)}_FAILED`, row, system, problem);
  await scheduleExpiry(tx, row);
  if (row.type === 'scheduled') await queueFallback(tx, row);
  // Enqueue the fallback snapshot first, then the removal of files. Both tasks are in one queue. While the object store
  // is unavailable, the removal waits, and would delay a later snapshot.
  await forgetFiles(tx, { ...row, id: row.clusterId });
}

/** Returns the prefix of the types of events about a snapshot. */
function kindOf({ type }: SnapshotRow): string {
  return type === 'fallback' ? 'CPS_SNAPSHOT_FALLBACK' : 'CPS_SNAPSHOT';
}

/**
 * Records an event about a failed attempt that will be retried. Does so only if another snapshot is being taken on the
 * same host, since the event is about concurrent snapshots.
 */
export async function recordFailedAttempt(tx: Tx, snapshotId: string, problem: string): Promise<void> {
  const row = await snapshotById(tx, snapshotId);
  if (row && (await isConcurrent(tx, row)))
    await record(tx, 'CPS_CONCURRENT_SNAPSHOT_FAILED_WILL_RETRY', row, system, problem);
}

/** Enqueues a fallback snapshot for a failed scheduled snapshot. The fallback snapshot reuses no stored chunks. */
async function queueFallback(tx: Tx, { clusterId, facts }: SnapshotRow): Promise<void> {
  const cluster = await clusterById(tx, clusterId);
  if (cluster === undefined || cluster.paused || cluster.state === 'DELETING') return;
  const { frequency, items = [], retention } = facts;
  const requested = { frequency, retention, items };
  await queueSnapshot(tx, cluster, { type: 'fallback', expires: endOf(tx.now, retention), facts: requested });
}

export async function changeRetention(
  tx: Tx,
  row: SnapshotRow,
  retention: Retention,
  actor: Actor,
): Promise<SnapshotRow> {
  if (!isFinished(row)) throw snapshotFaults.CANNOT_MODIFY_IN_PROGRESS_SNAPSHOT_RETENTION();
  if (retention.value < 1) throw snapshotFaults.BACKUP_SNAPSHOT_RETENTION_VALUE_INVALID();
  await guardRetention(tx, row, retention);
  const expires = endOf(row.created ?? tx.now, retention);
  const changed: SnapshotRow = { ...row, expires, facts: { ...row.facts, retention, byHand: true } };
  await updateSnapshot(tx, changed);
  await record(tx, 'CPS_SNAPSHOT_RETENTION_MODIFIED_AUDIT', row, actor);
  await scheduleExpiry(tx, changed);
  return changed;
}

/**
 * Applies new retention to scheduled snapshots; `days` has the retention by item id. Snapshots of removed items keep
 * their last retention. Snapshots whose retention was changed individually are not affected.
 */
export async function applyItemRetention(
  tx: Tx,
  clusterId: string,
  days: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = await snapshotsOf(tx, clusterId);
  const policy = rows[0] && (await policyOf(tx, rows[0].groupId));
  for (const row of rows) {
    const { due, byHand, items = [] } = row.facts;
    if (items.length === 0 || byHand || row.status === 'failed') continue;
    // With a compliance policy, the retention must not become shorter.
    const least = (item: SnapshotItem) => (policy === undefined ? 0 : item.days);
    const wanted = (item: SnapshotItem) => Math.max(days.get(item.id) ?? item.days, least(item));
    const next = items.map((item) => ({ ...item, days: wanted(item) }));
    const retention = longest(next);
    const expires = endOf(due ?? row.created ?? tx.now, retention);
    const changed: SnapshotRow = { ...row, expires, facts: { ...row.facts, items: next, retention } };
    await updateSnapshot(tx, changed);
    const moved = expires.getTime() !== row.expires.getTime();
    if (moved && row.status === 'completed') await scheduleExpiry(tx, changed);
  }
}

/** Deletes a snapshot at the request of a caller. A task removes its objects. */
export async function removeSnapshot(tx: Tx, row: SnapshotRow, actor: Actor): Promise<void> {
  if (!isFinished(row)) throw snapshotFaults.CANNOT_DELETE_IN_PROGRESS_SNAPSHOT();
  await guardDeletion(tx, row);
  await rejectInUse(tx, row.clusterId, row.id);
  await forgetSnapshot(tx, row);
  await rememberDeleted(tx, row);
  await record(tx, 'CPS_SNAPSHOT_DELETED_AUDIT', row, actor);
}

/** Removes a snapshot. If it was the last snapshot of a deleted cluster, also ends the retention of the cluster. */
export async function forgetSnapshot(tx: Tx, row: SnapshotRow): Promise<void> {
  await deleteSnapshot(tx, row);
  await tx.publish(snapshotForgotten, row);
  if (!(await hasSnapshots(tx, row.clusterId))) await endRetention(tx, row.clusterId);
  await forgetFiles(tx, { ...row, id: row.clusterId });
}

/** Enqueues the removal of unreferenced objects from the snapshot store and from the regions with copies. */
export async function forgetFiles(tx: Tx, place: ClusterPlace) {
  await enqueueWork<ForgetWork>(tx, FORGET, place, { host: place.host }, { queue: QUEUE });
  await forgetCopies(tx, place);
}

/**
 * Enqueues the task that removes a snapshot at its expiry. Tasks of one queue run in order, so each of these tasks has
 * its own queue and does not wait for a later expiry.
 */
async function scheduleExpiry(tx: Tx, { id, groupId, expires }: SnapshotRow): Promise<void> {
  const key = `snapshot:${id}:${expires.getTime()}`;
  await enqueue(tx, EXPIRE, { key, owner: groupId, payload: { snapshotId: id }, runAt: expires });
}

/** Records an event about a snapshot; `reason` is the reason of a failure. */
function record(
  tx: Tx,
  type: string,
  { groupId, facts: { clusterName } }: SnapshotRow,
  actor: Actor,
  reason?: string,
): Promise<void> {
  const about = { clusterName, ...(reason && { details: { reason } }) };
  return recordInProject(tx, groupId, { type, actor, ...about });
}
