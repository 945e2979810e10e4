import { generalFaults } from '../../../api/faults.ts';
import type { ClusterModel } from '../../clusters/index.ts';
import { type Frequency, LAST_DAY } from '../model/occurrences.ts';
import {
  type AutoExport,
  type ExtraRetention,
  type PolicyItem,
  rank,
  retentionDays,
  type Schedule,
} from '../model/schedules/policy.ts';
import { scheduleFaults } from './faults.ts';
import type { BackupSchedule, FormerSchedule, PolicyItemBody } from './schema.ts';

type Body = (BackupSchedule | FormerSchedule) & {
  /**
   * Whether the restore window has no upper limit while the cluster has no continuous backup. Dialects set this field.
   */
  readonly isWindowFree?: boolean;
};

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

const intervals: Readonly<Record<Frequency, readonly number[]>> = {
  hourly: [1, 2, 4, 6, 8, 12],
  daily: [1],
  weekly: upTo(7),
  monthly: [...upTo(28), LAST_DAY],
  yearly: upTo(12),
};

/**
 * The minimum retention in days by frequency. A month counts as 31 days, so a monthly item whose retention is
 * in weeks needs at least five weeks.
 */
const minDays: Partial<Readonly<Record<Frequency, number>>> = { weekly: 7, monthly: 31, yearly: 365 };

/**
 * The frequencies of which a schedule has at most one item. The snapshots of all items are due at the same minute. Some
 * snapshots of a second item would therefore be due together with those of the first.
 */
const single: readonly Frequency[] = ['hourly', 'daily'];

/** Applies a request to a schedule; omitted fields stay unchanged. Throws if the result is invalid. */
export function revised(
  schedule: Schedule,
  body: Body,
  { spec }: Pick<ClusterModel, 'spec'>,
  newId: () => string,
): Schedule {
  const items = body.policies === undefined ? schedule.items : readPolicies(schedule, body.policies, newId);
  const next: Schedule = {
    ...schedule,
    items,
    hour: body.referenceHourOfDay ?? schedule.hour,
    minute: body.referenceMinuteOfHour ?? schedule.minute,
    restoreWindowDays: body.restoreWindowDays ?? schedule.restoreWindowDays,
    namesInExportPrefix: body.useOrgAndGroupNamesInExportPrefix ?? schedule.namesInExportPrefix,
    extraRetention: readExtra(body.extraRetentionSettings) ?? schedule.extraRetention,
    autoExport: readExport(body, schedule.autoExport),
  };
  if (next.hour < 0 || next.hour > 23) throw scheduleFaults.INVALID_REFERENCE_HOUR_OF_DAY();
  if (next.minute < 0 || next.minute > 59) throw scheduleFaults.INVALID_REFERENCE_MINUTE_OF_HOUR();
  if (isWindowChecked(body, spec)) checkWindow(next, spec.settings.pitEnabled === true);
  checkExported(next);
  return next;
}

/**
 * Whether to check the restore window of a request. A dialect may accept any window while a cluster has no continuous
 * backup. A later request that changes only other fields does not check the stored window again.
 */
function isWindowChecked(
  { isWindowFree, policies, restoreWindowDays: days }: Body,
  { settings }: ClusterModel['spec'],
): boolean {
  if (settings.pitEnabled === true || (days !== undefined && days < 1)) return true;
  return isWindowFree !== true && (days ?? policies) !== undefined;
}

/** Merges the export settings of a request with the current ones. Throws for missing attributes. */
function readExport(
  { autoExportEnabled, export: wanted }: Body,
  before: AutoExport = { enabled: false },
): AutoExport {
  const next: AutoExport = {
    enabled: autoExportEnabled ?? before.enabled,
    bucketId: wanted?.exportBucketId ?? before.bucketId,
    frequencyType: wanted?.frequencyType ?? before.frequencyType,
  };
  if (!next.enabled) return next;
  if (next.bucketId === undefined && next.frequencyType === undefined)
    throw generalFaults.MISSING_ATTRIBUTE('export');
  if (next.bucketId === undefined) throw generalFaults.MISSING_ATTRIBUTE('export.exportBucketId');
  if (next.frequencyType === undefined) throw generalFaults.MISSING_ATTRIBUTE('export.frequencyType');
  return next;
}

/** Throws if automatic exports are enabled, but no item takes snapshots of the exported frequency. */
function checkExported({ autoExport, items }: Schedule): void {
  const { enabled, frequencyType = 'monthly' } = autoExport ?? {};
  if (enabled && !items.some((item) => item.frequencyType === frequencyType))
    throw generalFaults.INVALID_ENUM_VALUE(frequencyType);
}

function readPolicies(
  schedule: Schedule,
  policies: NonNullable<Body['policies']>,
  newId: () => string,
): readonly PolicyItem[] {
  const [policy] = policies;
  if (policy === undefined || policies.length > 1) throw scheduleFaults.INVALID_NUM_OF_POLICIES();
  if (policy.id !== undefined && policy.id !== schedule.policyId)
    throw scheduleFaults.INVALID_POLICY_ID(policy.id);
  const { policyItems = [] } = policy;
  if (policyItems.length === 0) throw scheduleFaults.INVALID_NUM_OF_POLICY_ITEMS();
  const items = policyItems.map((item) => readItem(schedule, item, newId));
  const ids = items.map(({ id }) => id);
  const duplicate = ids.find((id, index) => ids.indexOf(id) < index);
  if (duplicate !== undefined) throw scheduleFaults.INVALID_POLICY_ITEM_ID(duplicate);
  checkTogether(items);
  return items;
}

function readItem(schedule: Schedule, sent: PolicyItemBody, newId: () => string): PolicyItem {
  const item = withId(readNewItem(sent), sent.id, newId);
  if (sent.id === undefined) return item;
  const stored = schedule.items.find(({ id }) => id === sent.id);
  if (stored === undefined) throw scheduleFaults.INVALID_POLICY_ITEM_ID(sent.id);
  if (stored.frequencyType !== item.frequencyType)
    throw scheduleFaults.INVALID_FREQUENCY_TYPE_CHANGE(sent.id);
  return item;
}

const withId = (item: Omit<PolicyItem, 'id'>, id: string | undefined, newId: () => string): PolicyItem => ({
  id: id ?? newId(),
  ...item,
});

const units: readonly string[] = ['days', 'weeks', 'months', 'years'];
const isUnit = (unit: string): unit is PolicyItem['retentionUnit'] => units.includes(unit);

export function readNewItem(item: PolicyItemBody): Omit<PolicyItem, 'id'> {
  const { frequencyInterval, frequencyType, retentionUnit, retentionValue } = item;
  const missing = scheduleFaults.MISSING_POLICY_ITEM_PARAMETERS;
  if (frequencyType === undefined) throw missing('frequencyType');
  if (frequencyInterval === undefined) throw missing('frequencyInterval');
  if (retentionUnit === undefined) throw missing('retentionUnit');
  if (retentionValue === undefined) throw missing('retentionValue');
  const invalid = scheduleFaults.INVALID_BACKUP_POLICY;
  if (frequencyType === 'ondemand') throw invalid('the frequency ondemand is not allowed in a schedule');
  if (!intervals[frequencyType].includes(frequencyInterval))
    throw invalid(`${frequencyInterval} is not a valid interval for the frequency ${frequencyType}`);
  if (!isUnit(retentionUnit)) throw invalid(`${retentionUnit} is not a unit of retention`);
  if (retentionValue < 1) throw invalid('retentionValue must be at least 1');
  const read = { frequencyType, frequencyInterval, retentionUnit, retentionValue };
  if (retentionDays(read) < (minDays[frequencyType] ?? 0))
    throw invalid(`${retentionValue} ${retentionUnit} is too short for the frequency ${frequencyType}`);
  return read;
}

/**
 * Throws if there are several hourly or several daily items, or if an item has a shorter retention than a
 * more frequent item.
 */
export function checkTogether(items: readonly PolicyItem[]): void {
  for (const frequency of single) {
    if (items.filter(({ frequencyType }) => frequencyType === frequency).length > 1)
      throw scheduleFaults.INVALID_BACKUP_POLICY(
        `there is more than one item with the frequency ${frequency}`,
      );
  }
  const longest = longestRetained(items);
  for (const rare of items) {
    const often = longest.find(
      (item) => rank(item) < rank(rare) && retentionDays(item) > retentionDays(rare),
    );
    if (often !== undefined)
      throw scheduleFaults.INVALID_BACKUP_POLICY(
        `the ${rare.frequencyType} item has a shorter retention than the ${often.frequencyType} one`,
      );
  }
}

/**
 * Returns the item of each frequency with the longest retention. Comparing all items with each other would take too
 * long.
 */
function longestRetained(items: readonly PolicyItem[]): PolicyItem[] {
  const longest = new Map<Frequency, PolicyItem>();
  for (const item of items) {
    const before = longest.get(item.frequencyType);
    if (before === undefined || retentionDays(item) > retentionDays(before))
      longest.set(item.frequencyType, item);
  }
  return [...longest.values()];
}

/**
 * Throws if the restore window is shorter than a day, or longer than hourly snapshots are retained. A restore
 * to a point in time begins with the last snapshot before this point, so a schedule with `pointInTime` must
 * have hourly snapshots unless it has no items.
 */
export function checkWindow({ restoreWindowDays, items }: Schedule, pointInTime: boolean): void {
  const hourly = items.find(({ frequencyType }) => frequencyType === 'hourly');
  const most = hourly === undefined ? undefined : retentionDays(hourly);
  const unreachable = most === undefined ? pointInTime && items.length > 0 : restoreWindowDays > most;
  if (restoreWindowDays < 1 || unreachable) throw scheduleFaults.INVALID_RESTORE_WINDOW();
}

function readExtra(settings: Body['extraRetentionSettings']): readonly ExtraRetention[] | undefined {
  const short = settings?.find(({ retentionDays: days }) => days < 1);
  if (short) throw generalFaults.INVALID_ATTRIBUTE('extraRetentionSettings.retentionDays');
  const words = settings?.map(({ frequencyType }) => frequencyType) ?? [];
  if (new Set(words).size < words.length)
    throw generalFaults.INVALID_ATTRIBUTE('extraRetentionSettings.frequencyType');
  return settings;
}
