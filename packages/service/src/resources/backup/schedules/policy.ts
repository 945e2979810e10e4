import type { Provider, SnapshotItem } from '../snapshots/rows.ts';
import { daysOf, type Unit } from '../snapshots/rules.ts';
import { type Frequency, frequencies, isDueAt, nextOccurrence, type Recurrence } from './occurrences.ts';

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

/** Which snapshots are copied to another region. */
export interface CopySetting {
  /** The id of the zone of the cluster, and how newer versions name it. */
  readonly zone: string;
  readonly zoneId: string;
  readonly provider: Provider;
  readonly region: string;
  readonly frequencies: readonly CopiedFrequency[];
  readonly oplogs: boolean;
}

/** What the schedule of a cluster says. */
export interface Schedule {
  readonly policyId: string;
  readonly items: readonly PolicyItem[];
  readonly hour: number;
  readonly minute: number;
  readonly restoreWindowDays: number;
  readonly namesInExportPrefix: boolean;
  readonly extraRetention: readonly ExtraRetention[];
  /** Absent from old ones. */
  readonly copies?: readonly CopySetting[];
  readonly autoExport?: AutoExport;
}

/** Which snapshots go to a bucket by themselves, where that is switched on. */
export interface AutoExport {
  readonly enabled: boolean;
  readonly bucketId?: string | undefined;
  readonly frequencyType?: 'monthly' | 'yearly' | undefined;
}

const DAY_MS = 86_400_000;

type Kept = readonly [Frequency, interval: number, value: number, unit: PolicyItem['retentionUnit']];

/** What a cluster has from the moment on when its backups are switched on (reference 3.1). */
const defaults: readonly Kept[] = [
  ['hourly', 6, 7, 'days'],
  ['daily', 1, 7, 'days'],
  ['weekly', 6, 4, 'weeks'],
  ['monthly', 40, 12, 'months'],
  ['yearly', 12, 1, 'years'],
];
/** Local disks are read more slowly. */
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

/** Days that an item keeps what it takes, without extra ones. */
export function retentionDays({ retentionUnit, retentionValue }: Omit<PolicyItem, 'id'>): number {
  return daysOf({ value: retentionValue, unit: retentionUnit.toUpperCase() as Unit });
}

/** Days that are added to what an item, or somebody, asks for. */
export function extraDays({ extraRetention }: Schedule, frequency: Frequency | 'ON_DEMAND'): number {
  const setting = extraRetention.find(({ frequencyType }) => frequencyType === frequency.toUpperCase());
  return setting?.retentionDays ?? 0;
}

/** The items that ask for the snapshot of a moment, and how long each wants it kept; the least frequent last. */
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
 * The first moment after `after` at which a snapshot is due that would still be there by `now`: what a clock that has
 * jumped leaves to be taken. `from` is the first one that is not missed.
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
