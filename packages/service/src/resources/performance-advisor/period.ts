import { DAY_MS, type PeriodQuery } from './schema.ts';

/** Returns the period that a query selects, in milliseconds since 1970. */
export function periodOf({ since, duration = DAY_MS }: PeriodQuery, now: Date): { from: number; to: number } {
  const from = since ?? now.getTime() - duration;
  return { from, to: Math.min(from + duration, now.getTime()) };
}
