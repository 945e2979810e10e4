import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import {
  beginExclusiveWork,
  type ClusterModel,
  endExclusiveWork,
  enqueueWork,
} from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { Compared } from '../model/compared.ts';
import { insertRestore, type PointInTime, type RestoreRow, updateRestore } from '../model/restores/rows.ts';
import type { SnapshotRow } from '../model/snapshots/rows.ts';
import { checkEngines } from './rules.ts';
import { dataRestored } from './topics.ts';

export const RESTORE = { kind: 'backup.restore' };

/** `clusterId` is the id of the target cluster. */
export interface RestoreWork {
  readonly clusterId: string;
  readonly restoreId: string;
}

interface RestoreRequest {
  /** The snapshot to restore. For a restore to a point in time, this is the last snapshot before that time. */
  readonly snapshot: SnapshotRow;
  readonly target: ClusterModel;
  readonly moment?: PointInTime;
}

/** Enqueues the task that replaces the target's data by the snapshot. The target is UPDATING until the task ends. */
export async function requestRestore(
  tx: Tx,
  source: ClusterModel,
  { snapshot, target, moment }: RestoreRequest,
  actor: Actor,
): Promise<RestoreRow> {
  checkEngines(source, target);
  const { created = tx.now, facts } = snapshot;
  const row: RestoreRow = {
    kind: 'restore',
    id: tx.id(),
    groupId: source.groupId,
    clusterId: source.id,
    sourceName: source.name,
    targetId: target.id,
    targetGroupId: target.groupId,
    targetClusterName: target.name,
    snapshotId: snapshot.id,
    timestamp: created,
    snapshotFinished: facts.ended ?? created,
    pointInTime: moment,
    requested: tx.now,
    begun: false,
    finished: undefined,
  };
  await insertRestore(tx, row);
  await beginExclusiveWork(tx, target);
  await record(tx, 'CPS_RESTORE_REQUESTED_AUDIT', row, actor);
  await enqueueWork<RestoreWork>(tx, RESTORE, target, { restoreId: row.id });
  return row;
}

export async function beginRestore(tx: Tx, row: RestoreRow): Promise<void> {
  await updateRestore(tx, { ...row, begun: true });
}

/**
 * Ends a restore. `end` is the result of the comparison with the snapshot, or the problem that made the restore fail.
 * It is undefined if the engine restored a snapshot that it stores itself, because the service cannot compare the data.
 */
export async function endRestore(
  tx: Tx,
  row: RestoreRow,
  end: Compared | { problem: string } | undefined,
): Promise<void> {
  const failed = end !== undefined && 'problem' in end;
  const ended = { ...row, finished: tx.now, ...(failed ? end : { compared: end }) };
  await updateRestore(tx, ended);
  await record(tx, failed ? 'CPS_RESTORE_FAILED' : 'CPS_RESTORE_SUCCESSFUL', ended, system);
  await endExclusiveWork(tx, row.targetId);
  if (!failed) await tx.publish(dataRestored, { clusterId: row.targetId });
}

function record(tx: Tx, type: string, row: RestoreRow, actor: Actor): Promise<void> {
  const { targetGroupId, targetClusterName: clusterName, problem: reason } = row;
  const about = { clusterName, ...(reason && { details: { reason } }) };
  return recordInProject(tx, targetGroupId, { type, actor, ...about });
}
