import { Fault } from '@portolan/foundation/faults';
import { generalFaults } from '../../../api/faults.ts';
import { complianceFaults } from '../model/compliance/faults.ts';
import type { CompliancePolicy, OnDemandItem } from '../model/compliance/rows.ts';
import { ANY_INTERVAL, matchItems, minOnDemandDays } from '../model/compliance/strength.ts';
import { retentionDays } from '../model/schedules/policy.ts';
import { checkTogether, readNewItem } from '../schedules/rules.ts';
import type { PolicyBody } from './schema.ts';

type PolicyRequest = Omit<CompliancePolicy, 'deletable' | 'updated' | 'updatedBy' | 'overwrites'>;

const invalid = complianceFaults.BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID;
/** The upper bound of `frequencyInterval` in an on-demand item, where the interval has no effect. */
const MAX_INTERVAL = 40;

type Body = PolicyBody & {
  /** Whether scheduled items other than hourly ones can have the interval 0, which means any. Dialects set this field. */
  readonly acceptsAnyInterval?: boolean;
  /** Whether the restore window has no upper limit in a policy without continuous backup. Dialects set this field. */
  readonly isWindowFree?: boolean;
};

/** Reads a policy from a request body. Throws BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID if it is inconsistent. */
export function readPolicy(groupId: string, body: Body, newId: () => string): PolicyRequest {
  if (body.projectId !== undefined && body.projectId !== groupId)
    throw generalFaults.INVALID_ATTRIBUTE('projectId');
  const wanted: PolicyRequest = {
    email: body.authorizedEmail,
    firstName: body.authorizedUserFirstName,
    lastName: body.authorizedUserLastName,
    copyProtection: body.copyProtectionEnabled ?? false,
    encryption: body.encryptionAtRestEnabled ?? false,
    pit: body.pitEnabled ?? false,
    windowDays: body.restoreWindowDays ?? 0,
    ...asSettings(() => ({
      onDemand: readOnDemand(body.onDemandPolicyItem, newId),
      scheduled: (body.scheduledPolicyItems ?? []).map((item) => ({
        id: newId(),
        ...readScheduled(item, body),
      })),
    })),
  };
  asSettings(() => checkTogether(wanted.scheduled));
  checkWindow(wanted, body);
  return wanted;
}

/** Rethrows faults of schedule items as BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID. */
function asSettings<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Fault ? invalid(error.message.replace(/\.$/, '')) : error;
  }
}

function readOnDemand(item: PolicyBody['onDemandPolicyItem'], newId: () => string): OnDemandItem | null {
  if (item === undefined || item === null) return null;
  const { frequencyInterval, frequencyType } = item;
  if (frequencyInterval < 0 || frequencyInterval > MAX_INTERVAL)
    throw invalid(`${frequencyInterval} is not a valid interval for the frequency ondemand`);
  const { retentionUnit, retentionValue } = readNewItem({
    ...item,
    frequencyType: 'daily',
    frequencyInterval: 1,
  });
  return { id: newId(), frequencyInterval, frequencyType, retentionUnit, retentionValue };
}

function readScheduled(
  item: NonNullable<PolicyBody['scheduledPolicyItems']>[number],
  { acceptsAnyInterval }: Body,
) {
  const { frequencyInterval, frequencyType } = item;
  if (acceptsAnyInterval !== true || frequencyInterval !== ANY_INTERVAL || frequencyType === 'hourly')
    return readNewItem(item);
  return { ...readNewItem({ ...item, frequencyInterval: 1 }), frequencyInterval };
}

function checkWindow(
  { pit, windowDays, scheduled }: PolicyRequest,
  { restoreWindowDays, isWindowFree }: Body,
): void {
  if (restoreWindowDays === undefined && !pit) return;
  // Accept 0: responses contain this value for a policy without a restore window.
  if (windowDays < 1 && (pit || windowDays < 0)) throw invalid('restoreWindowDays must be at least 1');
  if (isWindowFree === true && !pit) return;
  const hourly = scheduled.find(({ frequencyType }) => frequencyType === 'hourly');
  if (windowDays > 0 && (hourly === undefined || windowDays > retentionDays(hourly)))
    throw invalid('restoreWindowDays must not exceed the retention of the hourly item');
}

/**
 * Gives each item the id of an item with the same frequency in the previous policy. Several items with the same
 * frequency are paired in their order.
 */
export function withFormerIds(before: CompliancePolicy | undefined, wanted: PolicyRequest): PolicyRequest {
  if (before === undefined) return wanted;
  const free = [...before.scheduled];
  const scheduled = wanted.scheduled.map((item) => {
    const at = free.findIndex(({ frequencyType }) => frequencyType === item.frequencyType);
    const [former] = at < 0 ? [] : free.splice(at, 1);
    return former === undefined ? item : { ...item, id: former.id };
  });
  const { onDemand } = wanted;
  return {
    ...wanted,
    onDemand: onDemand && { ...onDemand, id: before.onDemand?.id ?? onDemand.id },
    scheduled,
  };
}

/** Throws if a policy is weaker than the previous one. Copy protection may be turned off. */
export function checkNotWeaker(before: CompliancePolicy, after: PolicyRequest): void {
  if (before.encryption && !after.encryption)
    throw complianceFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY();
  if (before.pit && !after.pit) throw complianceFaults.CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY();
  if (after.windowDays < before.windowDays)
    throw complianceFaults.CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY();
  const short = before.onDemand !== null && minOnDemandDays(after) < minOnDemandDays(before);
  if (short) throw invalid('the retention of on-demand snapshots would decrease');
  for (const [item, kept] of matchItems(before.scheduled, after.scheduled)) {
    if (kept === undefined)
      throw invalid(`the ${item.frequencyType} item would be removed or its retention would decrease`);
  }
}
