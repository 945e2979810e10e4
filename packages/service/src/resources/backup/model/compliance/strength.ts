import { type PolicyItem, rank, retentionDays, type Schedule } from '../schedules/policy.ts';
import type { CompliancePolicy } from './rows.ts';

/** Returns the minimum retention of on-demand snapshots in days; 0 if the policy has no on-demand item. */
export function minOnDemandDays({ onDemand }: Pick<CompliancePolicy, 'onDemand'>): number {
  return onDemand === null ? 0 : retentionDays({ ...onDemand, frequencyType: 'daily' });
}

/** Returns the minimum retention, in days, of snapshots with a given frequency. */
export function minRetentionDays(policy: CompliancePolicy, frequency: string): number {
  if (frequency === 'ondemand') return minOnDemandDays(policy);
  const items = policy.scheduled.filter(({ frequencyType }) => frequencyType === frequency);
  return Math.max(0, ...items.map(retentionDays));
}

/** The interval of an item of a policy that accepts items with any interval. */
export const ANY_INTERVAL = 0;

const meets = (item: PolicyItem, wanted: PolicyItem): boolean =>
  item.frequencyType === wanted.frequencyType &&
  retentionDays(item) >= retentionDays(wanted) &&
  (item.frequencyType !== 'hourly' || item.frequencyInterval <= wanted.frequencyInterval);

/**
 * Pairs each required item with an item that meets it, or with undefined if there is none. Uses each item only once.
 */
export function matchItems(wanted: readonly PolicyItem[], items: readonly PolicyItem[]) {
  const free = [...items];
  return wanted.map((one) => {
    const at = free.findIndex((item) => meets(item, one));
    return [one, at < 0 ? undefined : free.splice(at, 1)[0]] as const;
  });
}

/** Changes the parts of a schedule that violate the policy. If no part does, returns an equal schedule. */
export function strengthened(schedule: Schedule, policy: CompliancePolicy, newId: () => string): Schedule {
  const items = [...schedule.items];
  const met = new Set<PolicyItem>();
  const unmet: PolicyItem[] = [];
  for (const [wanted, item] of matchItems(policy.scheduled, items)) {
    if (item === undefined) unmet.push(wanted);
    else met.add(item);
  }
  for (const wanted of unmet) {
    const at = items.findIndex((item) => item.frequencyType === wanted.frequencyType && !met.has(item));
    const weak = items[at];
    const strong = weak === undefined ? { ...dated(wanted), id: newId() } : raised(weak, wanted);
    met.add(strong);
    if (weak === undefined) items.push(strong);
    else items[at] = strong;
  }
  const restoreWindowDays = Math.max(schedule.restoreWindowDays, policy.windowDays);
  return { ...schedule, items: inOrder(items), restoreWindowDays };
}

/** Chooses the interval of an item that accepts any. */
function dated(item: PolicyItem): PolicyItem {
  return item.frequencyInterval === ANY_INTERVAL ? { ...item, frequencyInterval: 1 } : item;
}

function raised(item: PolicyItem, wanted: PolicyItem): PolicyItem {
  const { retentionUnit, retentionValue } = retentionDays(item) < retentionDays(wanted) ? wanted : item;
  const often = Math.min(item.frequencyInterval, wanted.frequencyInterval);
  const frequencyInterval = item.frequencyType === 'hourly' ? often : item.frequencyInterval;
  return { ...item, frequencyInterval, retentionUnit, retentionValue };
}

/**
 * Increases the retention of items where necessary. The snapshots of a less frequent item must be kept at least as long
 * as those of a more frequent item.
 */
function inOrder(items: readonly PolicyItem[]): PolicyItem[] {
  return items.map((item) => {
    const longest = items
      .filter((other) => rank(other) < rank(item))
      .reduce((most, other) => (retentionDays(other) > retentionDays(most) ? other : most), item);
    const { retentionUnit, retentionValue } = longest;
    return longest === item ? item : { ...item, retentionUnit, retentionValue };
  });
}
