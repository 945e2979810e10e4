import { badValue } from '../../api/faults.ts';
import type { Schedule } from './schema.ts';

const MINUTES_PER_DAY = 1440;
const SHORTEST_MINUTES = 120;
const MINUTE_MS = 60_000;

interface Window {
  /** Minutes since midnight. */
  readonly start: number;
  readonly minutes: number;
}

function windowOf({ startHour = 0, startMinute = 0, endHour = 0, endMinute = 0 }: Schedule): Window {
  const [start, end] = [startHour * 60 + startMinute, endHour * 60 + endMinute];
  return { start, minutes: end > start ? end - start : end + MINUTES_PER_DAY - start };
}

/** Whether documents are moved at this time. */
export function isOpen(schedule: Schedule, now: Date): boolean {
  if (schedule.type === 'DEFAULT') return true;
  const { start, minutes } = windowOf(schedule);
  const minute = now.getUTCHours() * 60 + now.getUTCMinutes();
  // The window may have begun on the previous day.
  return [0, MINUTES_PER_DAY].some((earlier) => {
    const since = minute + earlier - start;
    const begin = new Date(now.getTime() - earlier * MINUTE_MS);
    return since >= 0 && since < minutes && isDay(schedule, begin);
  });
}

function isDay({ type, dayOfWeek, dayOfMonth }: Schedule, date: Date): boolean {
  if (type === 'WEEKLY') return dayOfWeek === (date.getUTCDay() || 7);
  if (type !== 'MONTHLY') return true;
  const next = new Date(date.getTime() + MINUTES_PER_DAY * MINUTE_MS);
  // In a short month, the window begins on the last day.
  const isLast = next.getUTCDate() === 1;
  return date.getUTCDate() === dayOfMonth || (isLast && date.getUTCDate() < (dayOfMonth ?? 1));
}

/** Throws if a field of the schedule is missing or has no meaning for its type, or if the window is too short. */
export function checkSchedule(schedule: Schedule): void {
  const { type, dayOfMonth, dayOfWeek, ...times } = schedule;
  if (type === 'WEEKLY' && dayOfWeek === undefined) throw badValue('schedule.dayOfWeek', 'is required');
  if (type === 'MONTHLY' && dayOfMonth === undefined) throw badValue('schedule.dayOfMonth', 'is required');
  if (type !== 'WEEKLY' && dayOfWeek !== undefined)
    throw badValue('schedule.dayOfWeek', 'is allowed only for the type WEEKLY');
  if (type !== 'MONTHLY' && dayOfMonth !== undefined)
    throw badValue('schedule.dayOfMonth', 'is allowed only for the type MONTHLY');
  if (type === 'DEFAULT') {
    if (Object.keys(times).length > 0) throw badValue('schedule', 'of the type DEFAULT must have no window');
    return;
  }
  if (windowOf(schedule).minutes < SHORTEST_MINUTES)
    throw badValue('schedule', 'must have a window of at least two hours');
}
