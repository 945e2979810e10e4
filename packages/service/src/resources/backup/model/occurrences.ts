import { LAST_MOMENT } from '@portolan/foundation/clock';

/**
 * This file computes when the items of a backup policy are due, in UTC. Times are in milliseconds since the
 * epoch.
 */

export const frequencies = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'] as const;
export type Frequency = (typeof frequencies)[number];

/**
 * The interval in the contract's terms. Hourly: hours; daily: 1; weekly: weekday from 1 (Monday) to 7; monthly: day of
 * the month, 40 for the last; yearly: month.
 */
export interface Recurrence {
  readonly frequencyType: Frequency;
  readonly frequencyInterval: number;
}

/** The time of day at which all items are due. */
export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

export const LAST_DAY = 40;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** The weekday on which the epoch began: Thursday. */
const FIRST_WEEKDAY = 4;

/**
 * Returns the first time after `after` at which an item is due; undefined if that is beyond the last representable
 * time.
 */
export function nextOccurrence(
  { frequencyType, frequencyInterval }: Recurrence,
  { hour, minute }: TimeOfDay,
  after: number,
): number | undefined {
  const time = hour * HOUR_MS + minute * MINUTE_MS;
  const every = (period: number, offset: number) =>
    Math.floor((after - offset) / period) * period + period + offset;
  let next: number;
  switch (frequencyType) {
    case 'hourly':
      // The item is due at the same times every day, since each valid number of hours divides 24.
      next = every(frequencyInterval * HOUR_MS, time);
      break;
    case 'daily':
      next = every(DAY_MS, time);
      break;
    case 'weekly':
      next = every(7 * DAY_MS, (frequencyInterval - FIRST_WEEKDAY) * DAY_MS + time);
      break;
    case 'monthly':
      next = firstAfter(after, (year, month) => dayOfMonth(year, month, frequencyInterval) + time);
      break;
    case 'yearly':
      next = firstAfter(after, (year) => Date.UTC(year, frequencyInterval - 1, 1) + time);
      break;
  }
  return next > LAST_MOMENT ? undefined : next;
}

function dayOfMonth(year: number, month: number, day: number): number {
  return day === LAST_DAY ? Date.UTC(year, month + 1, 0) : Date.UTC(year, month, day);
}

/** Returns the first time after `after` among the times of this month and the following months. */
function firstAfter(after: number, momentOf: (year: number, month: number) => number): number {
  const start = new Date(after);
  for (let month = start.getUTCMonth(); ; month++) {
    const moment = momentOf(start.getUTCFullYear() + Math.floor(month / 12), month % 12);
    if (moment > after) return moment;
  }
}

/** Whether an item is due at exactly this time. */
export function isDueAt(item: Recurrence, time: TimeOfDay, at: number): boolean {
  return nextOccurrence(item, time, at - 1) === at;
}
