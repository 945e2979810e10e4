import { isDeepStrictEqual } from 'node:util';
import type { ReadTx } from '../../../../store/index.ts';
import type { ClusterModel } from '../../../clusters/index.ts';
import type { Retention } from '../retention.ts';
import { daysOf, endOf } from '../retention.ts';
import type { Schedule } from '../schedules/policy.ts';
import { isBackedUp } from '../settings.ts';
import type { SnapshotRow } from '../snapshots/rows.ts';
import { complianceFaults } from './faults.ts';
import { type CompliancePolicy, complianceOf } from './rows.ts';
import { minOnDemandDays, minRetentionDays, strengthened } from './strength.ts';

/**
 * This file checks whether changes of clusters, schedules and snapshots comply with the compliance policy of
 * their project.
 */

/** Returns the policy of a project in any state; undefined without a policy. */
export async function policyOf(tx: ReadTx, groupId: string): Promise<CompliancePolicy | undefined> {
  return (await complianceOf(tx, groupId))?.policy;
}

/**
 * Whether the backups of a cluster are retained when it is removed: if the request says so or the project has a policy.
 * Backups of tenant clusters are never retained.
 */
export async function keepsBackups(
  tx: ReadTx,
  {
    cluster,
    retainBackups = false,
  }: { readonly cluster: ClusterModel; readonly retainBackups?: boolean | undefined },
): Promise<boolean> {
  if (cluster.spec.tenant) return false;
  return retainBackups || (await policyOf(tx, cluster.groupId)) !== undefined;
}

/** Throws if a schedule does not meet the policy. */
export async function guardSchedule(tx: ReadTx, groupId: string, schedule: Schedule): Promise<void> {
  const policy = await policyOf(tx, groupId);
  if (policy === undefined) return;
  if (schedule.restoreWindowDays < policy.windowDays)
    throw complianceFaults.CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY();
  if (!complies(schedule, policy))
    throw complianceFaults.BACKUP_POLICY_NOT_MEETING_BACKUP_COMPLIANCE_POLICY_REQUIREMENTS();
}

export function complies(schedule: Schedule, policy: CompliancePolicy): boolean {
  return isDeepStrictEqual(
    strengthened(schedule, policy, () => ''),
    schedule,
  );
}

/** Throws if the policy protects copies of snapshots. */
export async function guardCopies(tx: ReadTx, groupId: string): Promise<void> {
  if ((await policyOf(tx, groupId))?.copyProtection)
    throw complianceFaults.CANNOT_DELETE_COPY_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY_ENABLED();
}

export async function guardDeletion(tx: ReadTx, { groupId }: SnapshotRow): Promise<void> {
  if ((await policyOf(tx, groupId)) !== undefined)
    throw complianceFaults.CANNOT_DELETE_SNAPSHOT_WITH_BACKUP_COMPLIANCE_POLICY();
}

/** Throws if the retention of a snapshot would decrease or fall below the minimum of the policy. */
export async function guardRetention(tx: ReadTx, row: SnapshotRow, retention: Retention): Promise<void> {
  const policy = await policyOf(tx, row.groupId);
  if (policy === undefined) return;
  if (endOf(row.created ?? tx.now, retention) < row.expires)
    throw complianceFaults.CANNOT_DECREASE_SNAPSHOT_RETENTION_WITH_BACKUP_COMPLIANCE_POLICY();
  checkLeast(retention, minRetentionDays(policy, row.facts.frequency));
}

/** Returns the retention in days of an on-demand snapshot whose request contains none. */
export async function onDemandDays(tx: ReadTx, groupId: string, usual: number): Promise<number> {
  const policy = await policyOf(tx, groupId);
  return Math.max(usual, policy === undefined ? 0 : minOnDemandDays(policy));
}

export async function guardOnDemand(tx: ReadTx, groupId: string, retention: Retention): Promise<void> {
  const policy = await policyOf(tx, groupId);
  if (policy !== undefined) checkLeast(retention, minOnDemandDays(policy));
}

function checkLeast(retention: Retention, least: number): void {
  if (daysOf(retention) < least)
    throw complianceFaults.SNAPSHOT_RETENTION_LESS_THAN_BACKUP_COMPLIANCE_POLICY(least);
}

/** Whether policies apply to a cluster: it is dedicated and not being deleted. */
export const isBound = ({ spec, state }: ClusterModel): boolean => !spec.tenant && state !== 'DELETING';

export const isEncrypted = ({ spec }: ClusterModel): boolean =>
  (spec.settings.encryptionAtRestProvider ?? 'NONE') !== 'NONE';

/** Throws if a cluster after a change would violate the policy. */
export function guardCluster(policy: CompliancePolicy, after: ClusterModel, before?: ClusterModel): void {
  if (policy.encryption && !isEncrypted(after))
    throw complianceFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY();
  if (before === undefined) return;
  if (isBackedUp(before) && !isBackedUp(after))
    throw complianceFaults.CANNOT_DISABLE_CLOUD_BACKUP_WITH_BACKUP_COMPLIANCE_POLICY();
  const [had, has] = [before, after].map(({ spec }) => spec.settings.pitEnabled === true);
  if (policy.pit && had && !has) throw complianceFaults.CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY();
}
