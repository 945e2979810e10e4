import { LAST_MOMENT } from '@portolan/foundation/clock';

/** How long a snapshot is kept: after its completion or, if it is scheduled, after its due time. */
export interface Retention {
  readonly value: number;
  readonly unit: 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS';
}

export type Unit = Retention['unit'];

/** Days per unit, for comparing retentions (docs/contract/clusters.md 3.2). */
const unitDays = { DAYS: 1, WEEKS: 7, MONTHS: 31, YEARS: 366 } as const;
const DAY_MS = 86_400_000;

/**
 * Returns a retention in days. Twelve months count as one year: otherwise, the default schedule would keep monthly
 * snapshots longer than yearly ones.
 */
export function daysOf({ value, unit }: Retention): number {
  if (unit !== 'MONTHS') return value * unitDays[unit];
  return Math.floor(value / 12) * unitDays.YEARS + (value % 12) * unitDays.MONTHS;
}

export function endOf(from: Date, retention: Retention): Date {
  return new Date(Math.min(from.getTime() + daysOf(retention) * DAY_MS, LAST_MOMENT));
}
