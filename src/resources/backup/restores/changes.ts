import { type Actor, system } from '../../../events/index.ts';
import type { Tx } from '../../../store/index.ts';
import { type ClusterModel, enqueueWork, occupy, release } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';
import { insertRestore, type RestoreRow, updateRestore } from './rows.ts';

export const RESTORE = { kind: 'backup.restore' };

/** `clusterId` is the target's. */
export interface RestoreWork {
  readonly clusterId: string;
  readonly restoreId: string;
}

/** Lets a task put the data of a snapshot into the place of the target's; the target is UPDATING until then. */
export async function requestRestore(
  tx: Tx,
  source: ClusterModel,
  { snapshot, target }: { readonly snapshot: SnapshotRow; readonly target: ClusterModel },
  actor: Actor,
): Promise<RestoreRow> {
  const row: RestoreRow = {
    id: tx.id(),
    groupId: source.groupId,
    clusterId: source.id,
    targetId: target.id,
    finished: undefined,
    facts: {
      snapshotId: snapshot.id,
      timestamp: (snapshot.created ?? tx.now).toISOString(),
      requested: tx.now.toISOString(),
      targetGroupId: target.groupId,
      targetClusterName: target.name,
    },
  };
  await insertRestore(tx, row);
  await occupy(tx, target);
  await record(tx, 'CPS_RESTORE_REQUESTED_AUDIT', row, actor);
  await enqueueWork<RestoreWork>(tx, RESTORE, target, { restoreId: row.id });
  return row;
}

export async function beginRestore(tx: Tx, row: RestoreRow): Promise<void> {
  await updateRestore(tx, { ...row, facts: { ...row.facts, begun: true } });
}

/** It is over, and has failed where there is a problem. */
export async function endRestore(tx: Tx, row: RestoreRow, problem?: string): Promise<void> {
  const facts = problem === undefined ? row.facts : { ...row.facts, problem };
  await updateRestore(tx, { ...row, finished: tx.now, facts });
  await record(tx, problem === undefined ? 'CPS_RESTORE_SUCCESSFUL' : 'CPS_RESTORE_FAILED', row, system);
  await release(tx, row.targetId);
}

function record(tx: Tx, type: string, { facts }: RestoreRow, actor: Actor): Promise<void> {
  const details = { clusterName: facts.targetClusterName };
  return recordInProject(tx, facts.targetGroupId, { type, actor, details });
}
