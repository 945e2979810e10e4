import { Fault } from '@portolan/foundation/faults';
import { generalFaults } from '../../../api/faults.ts';
import { type PolicyItem, rank, retentionDays, type Schedule } from '../schedules/policy.ts';
import { checkTogether, readNewItem } from '../schedules/rules.ts';
import { complianceFaults } from './faults.ts';
import type { CompliancePolicy, OnDemandItem } from './rows.ts';
import type { PolicyBody } from './schema.ts';

type Wanted = Omit<CompliancePolicy, 'deletable' | 'updated' | 'updatedBy' | 'overwrites'>;

const invalid = complianceFaults.BACKUP_COMPLIANCE_POLICY_SETTINGS_INVALID;
/** Of an on-demand item, whose interval says nothing. */
const MOST_INTERVAL = 40;

/** What a body wants of a project; throws for what is not valid in itself. */
export function readPolicy(groupId: string, body: PolicyBody, newId: () => string): Wanted {
  if (body.projectId !== undefined && body.projectId !== groupId)
    throw generalFaults.INVALID_ATTRIBUTE('projectId');
  const wanted: Wanted = {
    email: body.authorizedEmail,
    firstName: body.authorizedUserFirstName,
    lastName: body.authorizedUserLastName,
    copyProtection: body.copyProtectionEnabled ?? false,
    encryption: body.encryptionAtRestEnabled ?? false,
    pit: body.pitEnabled ?? false,
    windowDays: body.restoreWindowDays ?? 0,
    ...asSettings(() => ({
      onDemand: readOnDemand(body.onDemandPolicyItem, newId),
      scheduled: (body.scheduledPolicyItems ?? []).map((item) => ({ id: newId(), ...readNewItem(item) })),
    })),
  };
  asSettings(() => checkTogether(wanted.scheduled));
  checkWindow(wanted, body.restoreWindowDays);
  return wanted;
}

/** What is wrong with an item of a schedule is wrong with one of a policy, under a code of its own. */
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
  if (frequencyInterval < 0 || frequencyInterval > MOST_INTERVAL)
    throw invalid(`${frequencyInterval} is no interval of the frequency ondemand`);
  const { retentionUnit, retentionValue } = readNewItem({
    ...item,
    frequencyType: 'daily',
    frequencyInterval: 1,
  });
  return { id: newId(), frequencyInterval, frequencyType, retentionUnit, retentionValue };
}

function checkWindow({ pit, windowDays, scheduled }: Wanted, given: number | undefined): void {
  if (given === undefined && !pit) return;
  // What comes back of a policy without a window is 0.
  if (windowDays < 1 && (pit || windowDays < 0)) throw invalid('restoreWindowDays is at least 1');
  const hourly = scheduled.find(({ frequencyType }) => frequencyType === 'hourly');
  if (windowDays > 0 && (hourly === undefined || windowDays > retentionDays(hourly)))
    throw invalid('restoreWindowDays is at most what the hourly item keeps');
}

/** Items are those of the policy before where their frequency is the same, in order; they keep their ids. */
export function withFormerIds(before: CompliancePolicy | undefined, wanted: Wanted): Wanted {
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

/** Throws where a policy asks for less than the one before. */
export function checkNotWeaker(before: CompliancePolicy, after: Wanted): void {
  if (before.encryption && !after.encryption)
    throw complianceFaults.CANNOT_DISABLE_ENCRYPTION_AT_REST_WITH_BACKUP_COMPLIANCE_POLICY();
  if (before.pit && !after.pit) throw complianceFaults.CANNOT_DISABLE_PIT_WITH_BACKUP_COMPLIANCE_POLICY();
  if (after.windowDays < before.windowDays)
    throw complianceFaults.CANNOT_DECREASE_PIT_WINDOW_WITH_BACKUP_COMPLIANCE_POLICY();
  const short = before.onDemand !== null && leastOnDemand(after) < leastOnDemand(before);
  if (short) throw invalid('snapshots on demand would be kept for less long');
  for (const [item, kept] of pairs(before.scheduled, after.scheduled)) {
    if (kept === undefined) throw invalid(`the ${item.frequencyType} item would be taken away or keep less`);
  }
}

/** Days that a snapshot on demand is kept at least; 0 where nothing is said. */
export function leastOnDemand({ onDemand }: Pick<CompliancePolicy, 'onDemand'>): number {
  return onDemand === null ? 0 : retentionDays({ ...onDemand, frequencyType: 'daily' });
}

/** As that, of any snapshot. */
export function leastDays(policy: CompliancePolicy, frequency: string): number {
  if (frequency === 'ondemand') return leastOnDemand(policy);
  const items = policy.scheduled.filter(({ frequencyType }) => frequencyType === frequency);
  return Math.max(0, ...items.map(retentionDays));
}

const meets = (item: PolicyItem, wanted: PolicyItem): boolean =>
  item.frequencyType === wanted.frequencyType &&
  retentionDays(item) >= retentionDays(wanted) &&
  (item.frequencyType !== 'hourly' || item.frequencyInterval <= wanted.frequencyInterval);

/** For each item that is wanted one of its own that meets it; none where there is none left. */
function pairs(wanted: readonly PolicyItem[], items: readonly PolicyItem[]) {
  const free = [...items];
  return wanted.map((one) => {
    const at = free.findIndex((item) => meets(item, one));
    return [one, at < 0 ? undefined : free.splice(at, 1)[0]] as const;
  });
}

/** A schedule that asks for no less than the policy; the same where it did before. */
export function strengthened(schedule: Schedule, policy: CompliancePolicy, newId: () => string): Schedule {
  const items = [...schedule.items];
  const met = new Set<PolicyItem>();
  const unmet: PolicyItem[] = [];
  for (const [wanted, item] of pairs(policy.scheduled, items)) {
    if (item === undefined) unmet.push(wanted);
    else met.add(item);
  }
  for (const wanted of unmet) {
    const at = items.findIndex((item) => item.frequencyType === wanted.frequencyType && !met.has(item));
    const weak = items[at];
    const strong = weak === undefined ? { ...wanted, id: newId() } : raised(weak, wanted);
    met.add(strong);
    if (weak === undefined) items.push(strong);
    else items[at] = strong;
  }
  const restoreWindowDays = Math.max(schedule.restoreWindowDays, policy.windowDays);
  return { ...schedule, items: inOrder(items), restoreWindowDays };
}

function raised(item: PolicyItem, wanted: PolicyItem): PolicyItem {
  const { retentionUnit, retentionValue } = retentionDays(item) < retentionDays(wanted) ? wanted : item;
  const often = Math.min(item.frequencyInterval, wanted.frequencyInterval);
  const frequencyInterval = item.frequencyType === 'hourly' ? often : item.frequencyInterval;
  return { ...item, frequencyInterval, retentionUnit, retentionValue };
}

/** What is taken less often is kept at least as long as what is taken more often. */
function inOrder(items: readonly PolicyItem[]): PolicyItem[] {
  return items.map((item) => {
    const longest = items
      .filter((other) => rank(other) < rank(item))
      .reduce((most, other) => (retentionDays(other) > retentionDays(most) ? other : most), item);
    const { retentionUnit, retentionValue } = longest;
    return longest === item ? item : { ...item, retentionUnit, retentionValue };
  });
}
