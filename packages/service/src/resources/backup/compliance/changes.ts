import { type Actor, system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import { type ClusterModel, changeSettings, clustersIn } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { complianceFaults } from '../model/compliance/faults.ts';
import { complies, isBound, isEncrypted } from '../model/compliance/guard.ts';
import {
  type CompliancePolicy,
  type ComplianceRow,
  type ComplianceState,
  complianceOf,
  deleteCompliance,
  putCompliance,
} from '../model/compliance/rows.ts';
import { strengthened } from '../model/compliance/strength.ts';
import { scheduleOf } from '../model/schedules/rows.ts';
import { isBackedUp } from '../model/settings.ts';
import { hasSnapshotsInProject } from '../model/snapshots/rows.ts';
import { changeSchedule, ensureSchedule } from '../schedules/changes.ts';
import { freeNames } from './rows.ts';
import { checkNotWeaker, withFormerIds } from './rules.ts';

export const COMPLY = { kind: 'backup.comply' };

export interface ComplianceWork {
  readonly groupId: string;
}

type PolicyRequest = Omit<CompliancePolicy, 'deletable' | 'updated' | 'updatedBy'>;

/**
 * Stores a policy and enqueues the task that applies it. Throws if another change of the policy is pending,
 * if the policy is weaker than the current one, or if clusters violate it.
 */
export async function requestPolicy(
  tx: Tx,
  groupId: string,
  wanted: PolicyRequest,
  { actor, name }: { readonly actor: Actor; readonly name: string },
): Promise<ComplianceRow> {
  const before = await complianceOf(tx, groupId);
  if (before !== undefined) {
    refusePending(before);
    checkNotWeaker(before.policy, wanted);
  }
  const updated = { updated: tx.now.toISOString(), updatedBy: name };
  const named = withFormerIds(before?.policy, wanted);
  const policy: CompliancePolicy = {
    ...wanted,
    ...named,
    ...updated,
    deletable: before?.policy.deletable ?? false,
  };
  await checkClusters(tx, groupId, policy);
  const state = before === undefined ? 'ENABLING' : 'UPDATING';
  await record(tx, groupId, `CPS_DATA_PROTECTION_${before ? 'UPDATE' : 'ENABLE'}_REQUESTED`, actor);
  return move(tx, { groupId, state, policy });
}

/** Enqueues the task that removes the policy. */
export async function requestDisabling(tx: Tx, row: ComplianceRow, actor: Actor): Promise<void> {
  refusePending(row);
  const { groupId, policy } = row;
  if (!policy.deletable && (await holdsSomething(tx, groupId)))
    throw complianceFaults.CANNOT_DISABLE_BACKUP_COMPLIANCE_POLICY();
  await record(tx, groupId, 'CPS_DATA_PROTECTION_DISABLE_REQUESTED', actor);
  await move(tx, { ...row, state: 'DISABLING' });
}

/** Sets whether project owners may disable the policy, as an operator decided. */
export async function allowDisabling(
  tx: Tx,
  row: ComplianceRow,
  deletable: boolean,
  actor: Actor,
): Promise<ComplianceRow> {
  const changed = { ...row, policy: { ...row.policy, deletable } };
  await putCompliance(tx, changed);
  if (deletable && !row.policy.deletable)
    await record(tx, row.groupId, 'CPS_DATA_PROTECTION_APPROVED_FOR_DISABLEMENT', actor);
  return changed;
}

/** Applies the policy to all clusters and completes its pending state change. */
export async function applyPolicy(tx: Tx, groupId: string): Promise<void> {
  const row = await complianceOf(tx, groupId);
  if (row === undefined) return;
  if (row.state === 'DISABLING') {
    await deleteCompliance(tx, groupId);
    await freeNames(tx, groupId);
    await record(tx, groupId, 'CPS_DATA_PROTECTION_DISABLED', system);
    return;
  }
  for (const cluster of await clustersIn(tx, groupId))
    if (isBound(cluster)) await bring(tx, cluster, row.policy);
  if (row.state === 'ACTIVE') return;
  await putCompliance(tx, { ...row, state: 'ACTIVE' });
  await record(
    tx,
    groupId,
    `CPS_DATA_PROTECTION_${row.state === 'ENABLING' ? 'ENABLED' : 'UPDATED'}`,
    system,
  );
}

/** Enqueues a task that applies the policy. It is called after a change that may make a cluster violate the policy. */
export async function queuePolicy(tx: Tx, groupId: string): Promise<void> {
  await enqueue<ComplianceWork>(tx, COMPLY, {
    key: `compliance:${groupId}`,
    owner: groupId,
    payload: { groupId },
  });
}

async function bring(tx: Tx, cluster: ClusterModel, policy: CompliancePolicy): Promise<void> {
  const { pitEnabled } = cluster.spec.settings;
  const lacks = !isBackedUp(cluster) || (policy.pit && !pitEnabled);
  const settings = { providerBackupEnabled: true, ...(policy.pit ? { pitEnabled: true } : {}) };
  const bound = lacks ? await changeSettings(tx, cluster, settings, system) : cluster;
  const { schedule } = await ensureSchedule(tx, bound);
  if (complies(schedule, policy)) return;
  const stronger = strengthened(schedule, policy, () => tx.id());
  await changeSchedule(tx, bound, { schedule: stronger, updateSnapshots: false }, system);
}

/**
 * Throws if a cluster is not encrypted although the policy requires it. Also throws if a schedule violates
 * the policy, unless the policy may overwrite schedules.
 */
async function checkClusters(tx: ReadTx, groupId: string, policy: CompliancePolicy): Promise<void> {
  const bound = (await clustersIn(tx, groupId)).filter(isBound);
  const open = bound.find((cluster) => policy.encryption && !isEncrypted(cluster));
  if (open !== undefined)
    throw complianceFaults.BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID(
      `the cluster ${open.name} is not encrypted with a customer-managed key`,
    );
  if (policy.overwrites) return;
  const weak: string[] = [];
  for (const { id, name } of bound) {
    const row = await scheduleOf(tx, id);
    if (row !== undefined && !complies(row.schedule, policy)) weak.push(name);
  }
  if (weak.length > 0)
    throw complianceFaults.BACKUP_POLICIES_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS(weak);
}

const pending: readonly ComplianceState[] = ['ENABLING', 'UPDATING', 'DISABLING'];

function refusePending({ state }: ComplianceRow): void {
  if (pending.includes(state))
    throw complianceFaults.CANNOT_UPDATE_BACKUP_COMPLIANCE_POLICY_SETTINGS_WITH_PENDING_ACTION();
}

async function holdsSomething(tx: ReadTx, groupId: string): Promise<boolean> {
  return (await clustersIn(tx, groupId)).length > 0 || (await hasSnapshotsInProject(tx, groupId));
}

async function move(tx: Tx, row: ComplianceRow): Promise<ComplianceRow> {
  await putCompliance(tx, row);
  await queuePolicy(tx, row.groupId);
  return row;
}

function record(tx: Tx, groupId: string, type: string, actor: Actor): Promise<void> {
  return recordInProject(tx, groupId, { type, actor, details: {} });
}
