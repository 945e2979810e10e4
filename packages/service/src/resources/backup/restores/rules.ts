import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import {
  assertCan,
  type ClusterModel,
  can,
  configServers,
  isSharded,
  keyProviderOf,
  majorVersionOfCopy,
  replicaSetsOf,
  requireWithRetained,
} from '../../clusters/index.ts';
import { mayUseKey } from '../../encryption/index.ts';
import { belongsTo, type JobRow, jobById } from '../model/jobs/rows.ts';
import { isBeingRestored, type PointInTime } from '../model/restores/rows.ts';
import { isBackedUp } from '../model/settings.ts';
import { isBeingTaken, type SnapshotRow } from '../model/snapshots/rows.ts';
import { restoreFaults } from './faults.ts';
import type { RestoreJob } from './schema.ts';

export interface RestoreTarget {
  readonly targetGroupId: string;
  readonly targetClusterName: string;
}

const momentFields = ['oplogInc', 'oplogTs', 'pointInTimeUTCSeconds'] as const;

/** Reads a restore request. Throws for missing attributes, and for attributes of other delivery types. */
export function readRestore(body: RestoreJob): RestoreTarget & { readonly snapshotId: string } {
  if (body.deliveryType !== 'automated') throw restoreFaults.UNSUPPORTED_DELIVERY_METHOD(body.deliveryType);
  const { snapshotId } = body;
  if (snapshotId === undefined) throw generalFaults.MISSING_ATTRIBUTE('snapshotId');
  const target = readTarget(body);
  for (const name of momentFields) {
    if (body[name] !== undefined) throw generalFaults.INVALID_ATTRIBUTE(name);
  }
  return { snapshotId, ...target };
}

/**
 * Reads a request to restore a point in time. It contains either `pointInTimeUTCSeconds`, or `oplogTs` and `oplogInc`.
 */
export function readPointInTime(body: RestoreJob): RestoreTarget & { readonly moment: PointInTime } {
  const { oplogInc, oplogTs, pointInTimeUTCSeconds, snapshotId } = body;
  if (snapshotId !== undefined) throw generalFaults.INVALID_ATTRIBUTE('snapshotId');
  const target = readTarget(body);
  if (pointInTimeUTCSeconds !== undefined) {
    if (oplogTs !== undefined) throw generalFaults.INVALID_ATTRIBUTE('oplogTs');
    if (oplogInc !== undefined) throw generalFaults.INVALID_ATTRIBUTE('oplogInc');
    return { ...target, moment: { seconds: pointInTimeUTCSeconds } };
  }
  if (oplogTs === undefined && oplogInc === undefined)
    throw generalFaults.MISSING_ONE_OF_ATTRIBUTES('pointInTimeUTCSeconds', 'oplogTs');
  if (oplogTs === undefined) throw generalFaults.MISSING_ATTRIBUTE('oplogTs');
  if (oplogInc === undefined) throw generalFaults.MISSING_ATTRIBUTE('oplogInc');
  return { ...target, moment: { seconds: oplogTs, increment: oplogInc } };
}

function readTarget({ targetGroupId, targetClusterName }: RestoreJob): RestoreTarget {
  if (targetClusterName === undefined) throw generalFaults.MISSING_ATTRIBUTE('targetClusterName');
  if (targetGroupId === undefined) throw generalFaults.MISSING_ATTRIBUTE('targetGroupId');
  return { targetGroupId, targetClusterName };
}

/** Throws if the engine of the target cannot restore the snapshots of the source. */
export function checkEngines(source: ClusterModel, target: ClusterModel): void {
  assertCan(target, 'restores');
  const problem = problemOfEngines(source, target);
  if (problem !== undefined) throw restoreFaults.RESTORE_INITIATION_FAILED(problem);
}

function problemOfEngines(source: ClusterModel, target: ClusterModel): string | undefined {
  const isStored = can(source, 'snapshotFiles');
  if (isStored !== can(target, 'snapshotFiles'))
    return 'the engine of the target stores snapshots in another place, so it cannot read this snapshot';
  if (isStored) return undefined;
  if (source.groupId !== target.groupId)
    return 'this snapshot can be restored only to clusters of the project from which it was taken';
  return isBackedUp(target) ? undefined : 'the target has no cloud backup';
}

/** Throws if a snapshot cannot be restored to a cluster. */
export async function checkTarget(tx: ReadTx, snapshot: SnapshotRow, target: ClusterModel): Promise<void> {
  if (snapshot.status !== 'completed')
    throw restoreFaults.CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT();
  if (target.paused) throw restoreFaults.CLUSTER_PAUSED_CANNOT_RESTORE();
  if (await isBeingRestored(tx, target.id))
    throw restoreFaults.PLATFORM_CLUSTER_RESTORE_IN_PROGRESS(target.name);
  // Reject the restore instead of waiting for the end of the snapshot. The snapshot can take hours, and a waiting
  // restore would delay all other work on the cluster.
  if (await isBeingCopied(tx, target))
    throw restoreFaults.RESTORE_INITIATION_FAILED('a snapshot of the target is being taken');
  if (!(await hasUsableKey(tx, snapshot, target)))
    throw restoreFaults.INVALID_SNAPSHOT_RESTORE_ENCRYPTION(target.name);
  const problem = mismatch(snapshot, target);
  if (problem !== undefined) throw restoreFaults.RESTORE_INITIATION_FAILED(problem);
}

/**
 * Whether a snapshot is being taken that reads the documents one after another. A restore at the same time would mix old
 * and restored documents in it.
 */
export async function isBeingCopied(
  tx: ReadTx,
  cluster: Pick<ClusterModel, 'id' | 'placement'>,
): Promise<boolean> {
  return !can(cluster, 'parallelBackups') && isBeingTaken(tx, cluster.id);
}

/**
 * Whether the encryption of the target permits the restore. It does if neither the snapshot nor the target is
 * encrypted. It also does if both use the same key provider, and the target's project may use the snapshot's key.
 */
async function hasUsableKey(tx: ReadTx, { facts }: SnapshotRow, target: ClusterModel): Promise<boolean> {
  const { encryption } = facts;
  if (encryption?.provider !== keyProviderOf(target)) return false;
  return encryption === undefined || mayUseKey(tx, target.groupId, encryption.masterKey);
}

/**
 * Whether a snapshot has a newer server version than the cluster, which means that the cluster cannot read the
 * snapshot.
 */
export function isNewer({ facts }: SnapshotRow, { spec }: ClusterModel): boolean {
  const { version = '', consistency } = facts;
  const own = consistency === undefined ? version : majorVersionOfCopy(version);
  return Number.parseFloat(own) > Number(spec.majorVersion);
}

function mismatch(snapshot: SnapshotRow, target: ClusterModel): string | undefined {
  const { facts } = snapshot;
  const { spec } = target;
  if (isNewer(snapshot, target))
    return `the target runs version ${spec.majorVersion}, but the snapshot was taken from version ${facts.version}`;
  if (can(target, 'ownDisks') && facts.diskGB !== undefined && spec.diskSizeGB < facts.diskGB)
    return `the target has a disk of ${spec.diskSizeGB} GB, but the snapshot requires ${facts.diskGB} GB`;
  const { sharded } = facts;
  if (sharded === undefined)
    return isSharded(spec) ? 'the target is sharded, but the snapshot is not' : undefined;
  if (!isSharded(spec)) return 'the snapshot is sharded, but the target is not';
  const kind = configServers(spec);
  if (kind !== sharded.configServers)
    return `the config servers of the target are ${kind}, but those of the snapshot are ${sharded.configServers}`;
  const shards = (sets: number) => (kind === 'DEDICATED' ? sets - 1 : sets);
  const [own, taken] = [replicaSetsOf(target), sharded.members].map(({ length }) => shards(length));
  return own === taken ? undefined : `the target has ${own} shards, but the snapshot has ${taken}`;
}

/** Returns the job that a path names. Throws RESTORE_JOB_NOT_FOUND. */
export async function requireRestore(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string; readonly restoreJobId: string },
): Promise<JobRow> {
  const row = await jobById(tx, at.restoreJobId);
  const cluster = await requireWithRetained(tx, at, row?.clusterId);
  if (!belongsTo(row, cluster.id)) throw restoreFaults.RESTORE_JOB_NOT_FOUND(at.restoreJobId, at.clusterName);
  return row;
}
