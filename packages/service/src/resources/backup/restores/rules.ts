import { faults } from '@portolan/foundation/faults';
import { generalFaults } from '../../../api/faults.ts';
import type { ReadTx } from '../../../store/index.ts';
import {
  type ClusterModel,
  configServers,
  isSharded,
  keyProviderOf,
  replicaSetsOf,
  requireWithRetained,
} from '../../clusters/index.ts';
import { mayUseKey } from '../../encryption/index.ts';
import { deletedSnapshot } from '../snapshots/deleted/rows.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';
import { isBeingRestored, type PointInTime, type RestoreRow, restoreById } from './rows.ts';
import type { RestoreJob } from './schema.ts';

export const restoreFaults = faults({
  RESTORE_JOB_NOT_FOUND: [404, 'No restore job with the id {0} of cluster {1} exists.'],
  CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT: [
    409,
    'A snapshot that is not complete cannot be restored.',
  ],
  CANNOT_START_RESTORE_JOB_FOR_DELETED_SNAPSHOT: [409, 'The snapshot was deleted.'],
  CANNOT_START_RESTORE_JOB_FOR_DELETED_CLUSTER_SNAPSHOT: [
    409,
    'The snapshot of the sharded cluster was deleted.',
  ],
  CANNOT_RESTORE_TO_TARGET: [403, 'The snapshot cannot be restored to this cluster.'],
  RESTORE_INITIATION_FAILED: [409, 'The restore cannot begin: {0}.'],
  CLUSTER_PAUSED_CANNOT_RESTORE: [400, 'A cluster that is paused cannot be restored.'],
  PLATFORM_CLUSTER_RESTORE_IN_PROGRESS: [409, 'The cluster {0} is being restored already.'],
  CANNOT_CANCEL_AUTOMATED_RESTORE: [400, 'A restore into a cluster cannot be cancelled.'],
  AUTOMATED_RESTORE_OF_SHARD_NOT_ALLOWED: [
    400,
    'The snapshot of one shard cannot be restored into a cluster; the whole one can.',
  ],
  INVALID_SNAPSHOT_RESTORE_ENCRYPTION: [
    400,
    'The snapshot and the cluster {0} are not encrypted with keys of the same provider that the project of the cluster has named.',
  ],
  INVALID_PIT_RESTORE_TIME: [
    400,
    'The moment {0} is not one that cluster {1} can be restored to: it lies in the future, before the restore window, or there are no continuous backups.',
  ],
  UNABLE_T0_FIND_SNAPSHOT_PRIOR_TO_PIT_RESTORE_OPTIME: [
    404,
    'There is no snapshot of cluster {0} before the moment {1}.',
  ],
  NO_CHECKPOINT_FOR_PIT_RESTORE: [
    409,
    'The oplog of cluster {0} is not archived from the last snapshot before the moment {1} up to it.',
  ],
  UNSUPPORTED_DELIVERY_METHOD: [400, 'Restores of the kind {0} are not supported.'],
});

export interface RestoreTarget {
  readonly targetGroupId: string;
  readonly targetClusterName: string;
}

const momentFields = ['oplogInc', 'oplogTs', 'pointInTimeUTCSeconds'] as const;

/** What a body asks for; throws where something is missing, or not for this kind of restore. */
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

/** The same of a restore to a moment, which is told in one of two forms. */
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

/** Throws where somebody has deleted the snapshot. */
export async function refuseDeleted(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string; readonly snapshotId: string },
): Promise<void> {
  const deleted = await deletedSnapshot(tx, at.snapshotId);
  if (deleted === undefined) return;
  const cluster = await requireWithRetained(tx, at, deleted.clusterId);
  if (cluster.id !== deleted.clusterId) return;
  throw deleted.sharded
    ? restoreFaults.CANNOT_START_RESTORE_JOB_FOR_DELETED_CLUSTER_SNAPSHOT()
    : restoreFaults.CANNOT_START_RESTORE_JOB_FOR_DELETED_SNAPSHOT();
}

/** Throws where the data of a snapshot cannot take the place of a cluster's. */
export async function checkTarget(tx: ReadTx, snapshot: SnapshotRow, target: ClusterModel): Promise<void> {
  if (snapshot.status !== 'completed')
    throw restoreFaults.CANNOT_START_RESTORE_JOB_FOR_INCOMPLETE_CLUSTER_SNAPSHOT();
  if (target.paused) throw restoreFaults.CLUSTER_PAUSED_CANNOT_RESTORE();
  if (await isBeingRestored(tx, target.id))
    throw restoreFaults.PLATFORM_CLUSTER_RESTORE_IN_PROGRESS(target.name);
  if (!(await hasItsKey(tx, snapshot, target)))
    throw restoreFaults.INVALID_SNAPSHOT_RESTORE_ENCRYPTION(target.name);
  const problem = mismatch(snapshot, target);
  if (problem !== undefined) throw restoreFaults.RESTORE_INITIATION_FAILED(problem);
}

/** Data stay in clear, or with a key of the provider that they have, and that the project of the target has named. */
async function hasItsKey(tx: ReadTx, { facts }: SnapshotRow, target: ClusterModel): Promise<boolean> {
  const { encryption } = facts;
  if (encryption?.provider !== keyProviderOf(target)) return false;
  return encryption === undefined || mayUseKey(tx, target.groupId, encryption.masterKey);
}

/** Whether a snapshot is of a newer version than a cluster runs, which could not read it. */
export function isNewer({ facts }: SnapshotRow, { spec }: ClusterModel): boolean {
  return Number.parseFloat(facts.version ?? '') > Number(spec.majorVersion);
}

function mismatch(snapshot: SnapshotRow, target: ClusterModel): string | undefined {
  const { facts } = snapshot;
  const { spec } = target;
  if (isNewer(snapshot, target))
    return `the target runs ${spec.majorVersion}, the snapshot is of ${facts.version}`;
  if (facts.diskGB !== undefined && spec.diskSizeGB < facts.diskGB)
    return `the target has a disk of ${spec.diskSizeGB} GB, the snapshot is of one of ${facts.diskGB} GB`;
  const { sharded } = facts;
  if (sharded === undefined)
    return isSharded(spec) ? 'the target is sharded, the snapshot is not' : undefined;
  if (!isSharded(spec)) return 'the snapshot is sharded, the target is not';
  const kind = configServers(spec);
  if (kind !== sharded.configServers)
    return `the target has config servers that are ${kind}, the snapshot ${sharded.configServers}`;
  const shards = (sets: number) => (kind === 'DEDICATED' ? sets - 1 : sets);
  const [own, taken] = [replicaSetsOf(target), sharded.members].map(({ length }) => shards(length));
  return own === taken ? undefined : `the target has ${own} shards, the snapshot ${taken}`;
}

/** The job of a path. */
export async function requireRestore(
  tx: ReadTx,
  at: { readonly groupId: string; readonly clusterName: string; readonly restoreJobId: string },
): Promise<RestoreRow> {
  const row = await restoreById(tx, at.restoreJobId);
  const cluster = await requireWithRetained(tx, at, row?.clusterId);
  if (row?.clusterId !== cluster.id)
    throw restoreFaults.RESTORE_JOB_NOT_FOUND(at.restoreJobId, at.clusterName);
  return row;
}
