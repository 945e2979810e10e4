import { type Frequency, frequencies, isDueAt, nextOccurrence, type Recurrence } from '../occurrences.ts';
import { daysOf, type Unit } from '../retention.ts';
import type { Provider, SnapshotItem } from '../snapshots/rows.ts';

export interface PolicyItem extends Recurrence {
  readonly id: string;
  readonly retentionUnit: Lowercase<Unit>;
  readonly retentionValue: number;
}

export type CopiedFrequency = Uppercase<Frequency> | 'ON_DEMAND';

export interface ExtraRetention {
  readonly frequencyType: CopiedFrequency;
  readonly retentionDays: number;
}

/** Determines which snapshots are copied to another region. */
export interface CopySetting {
  /** The id of the cluster's zone: `zone` is the id in old versions of the API, `zoneId` in new versions. */
  readonly zone: string;
  readonly zoneId: string;
  readonly provider: Provider;
  readonly region: string;
  readonly frequencies: readonly CopiedFrequency[];
  readonly oplogs: boolean;
}

/** The backup schedule of a cluster. */
export interface Schedule {
  readonly policyId: string;
  readonly items: readonly PolicyItem[];
  readonly hour: number;
  readonly minute: number;
  readonly restoreWindowDays: number;
  readonly namesInExportPrefix: boolean;
  readonly extraRetention: readonly ExtraRetention[];
  /** Schedules that earlier versions stored lack this field. */
  readonly copies?: readonly CopySetting[];
  readonly autoExport?: AutoExport;
}

/** Determines which snapshots are exported automatically. */
export interface AutoExport {
  readonly enabled: boolean;
  readonly bucketId?: string | undefined;
  readonly frequencyType?: 'monthly' | 'yearly' | undefined;
}

const DAY_MS = 86_400_000;

type ItemDefault = readonly [Frequency, interval: number, value: number, unit: PolicyItem['retentionUnit']];

/** The default schedule of a cluster whose backups are enabled (docs/contract/clusters.md 3.1). */
const defaults: readonly ItemDefault[] = [
  ['hourly', 6, 7, 'days'],
  ['daily', 1, 7, 'days'],
  ['weekly', 6, 4, 'weeks'],
  ['monthly', 40, 12, 'months'],
  ['yearly', 12, 1, 'years'],
];
/** The interval of hourly snapshots for clusters on local disks. Snapshots of these clusters take longer. */
const HOURS_ON_LOCAL_DISKS = 12;

export function defaultSchedule(now: Date, localDisks: boolean, newId: () => string): Schedule {
  return {
    policyId: newId(),
    items: defaults.map(([frequencyType, interval, retentionValue, retentionUnit]) => {
      const frequencyInterval = localDisks && frequencyType === 'hourly' ? HOURS_ON_LOCAL_DISKS : interval;
      return { id: newId(), frequencyType, frequencyInterval, retentionUnit, retentionValue };
    }),
    hour: now.getUTCHours(),
    minute: now.getUTCMinutes(),
    restoreWindowDays: 7,
    namesInExportPrefix: false,
    extraRetention: [],
  };
}

/** Returns the retention of an item in days, without extra retention. */
export function retentionDays({ retentionUnit, retentionValue }: Omit<PolicyItem, 'id'>): number {
  return daysOf({ value: retentionValue, unit: retentionUnit.toUpperCase() as Unit });
}

/** Returns the extra retention in days of a frequency, or of on-demand snapshots. */
export function extraDays({ extraRetention }: Schedule, frequency: Frequency | 'ON_DEMAND'): number {
  const setting = extraRetention.find(({ frequencyType }) => frequencyType === frequency.toUpperCase());
  return setting?.retentionDays ?? 0;
}

/** Returns the items that are due at a time, with their retention. The least frequent item comes last. */
export function itemsDueAt(schedule: Schedule, at: number): SnapshotItem[] {
  return schedule.items
    .filter((item) => isDueAt(item, schedule, at))
    .sort((one, other) => rank(one) - rank(other))
    .map((item) => ({ id: item.id, frequency: item.frequencyType, days: keptDays(schedule, item) }));
}

export const rank = ({ frequencyType }: Recurrence) => frequencies.indexOf(frequencyType);

export function keptDays(schedule: Schedule, item: PolicyItem): number {
  return retentionDays(item) + extraDays(schedule, item.frequencyType);
}

/**
 * Returns the first due time after `after` whose snapshot would not have expired by `now`. After a jump of the clock,
 * this skips the due times of expired snapshots. `from` skips due times during an outage: it is the first due time
 * that the outage did not cover.
 */
export function nextDue(
  schedule: Schedule,
  { after, now, from }: { readonly after: number; readonly now: number; readonly from: number },
): number | undefined {
  const moments = schedule.items.flatMap((item) => {
    const goneBy = now - keptDays(schedule, item) * DAY_MS;
    const bound = Math.max(after, Math.min(from - 1, now), Math.min(goneBy, now));
    return nextOccurrence(item, schedule, bound) ?? [];
  });
  return moments.length === 0 ? undefined : Math.min(...moments);
}
