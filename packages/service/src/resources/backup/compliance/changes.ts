import { type Actor, system } from '../../../events/index.ts';
import type { ReadTx, Tx } from '../../../store/index.ts';
import { enqueue } from '../../../tasks/index.ts';
import { type ClusterModel, changeSettings, clustersIn } from '../../clusters/index.ts';
import { recordInProject } from '../../projects/index.ts';
import { changeSchedule, ensureSchedule } from '../schedules/changes.ts';
import { scheduleOf } from '../schedules/rows.ts';
import { hasSnapshotsInProject } from '../snapshots/rows.ts';
import { isBackedUp } from '../snapshots/rules.ts';
import { complianceFaults } from './faults.ts';
import { complies, isBound, isEncrypted } from './guard.ts';
import {
  type CompliancePolicy,
  type ComplianceRow,
  type ComplianceState,
  complianceOf,
  deleteCompliance,
  putCompliance,
} from './rows.ts';
import { checkNotWeaker, strengthened, withFormerIds } from './rules.ts';

export const COMPLY = { kind: 'backup.comply' };

export interface ComplianceWork {
  readonly groupId: string;
}

type Wanted = Omit<CompliancePolicy, 'deletable' | 'updated' | 'updatedBy'>;

/** Takes over a policy, and lets a task carry it out; throws where it would weaken the one that is there. */
export async function requestPolicy(
  tx: Tx,
  groupId: string,
  wanted: Wanted,
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

/** Lets a task end it. */
export async function requestDisabling(tx: Tx, row: ComplianceRow, actor: Actor): Promise<void> {
  refusePending(row);
  const { groupId, policy } = row;
  if (!policy.deletable && (await holdsSomething(tx, groupId)))
    throw complianceFaults.CANNOT_DISABLE_BACKUP_COMPLIANCE_POLICY();
  await record(tx, groupId, 'CPS_DATA_PROTECTION_DISABLE_REQUESTED', actor);
  await move(tx, { ...row, state: 'DISABLING' });
}

/** The operator's word: whether owners may end it. */
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

/** Brings all clusters to the policy, and the policy to where its state leads. */
export async function settlePolicy(tx: Tx, groupId: string): Promise<void> {
  const row = await complianceOf(tx, groupId);
  if (row === undefined) return;
  if (row.state === 'DISABLING') {
    await deleteCompliance(tx, groupId);
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

/** Lets a task look at the clusters of a project: there is one that has not what the policy requires. */
export async function settleLater(tx: Tx, groupId: string): Promise<void> {
  await enqueue<ComplianceWork>(tx, COMPLY, { key: `compliance:${groupId}`, payload: { groupId } });
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

/** Throws where clusters are not what a policy wants, and are not to become it. */
async function checkClusters(tx: ReadTx, groupId: string, policy: CompliancePolicy): Promise<void> {
  const bound = (await clustersIn(tx, groupId)).filter(isBound);
  const open = bound.find((cluster) => policy.encryption && !isEncrypted(cluster));
  if (open !== undefined)
    throw complianceFaults.BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID(
      `the cluster ${open.name} is not encrypted with a key of the customer`,
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
  await settleLater(tx, row.groupId);
  return row;
}

function record(tx: Tx, groupId: string, type: string, actor: Actor): Promise<void> {
  return recordInProject(tx, groupId, { type, actor, details: {} });
}
