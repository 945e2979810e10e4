/** The maintenance window, in UTC. */
export interface Window {
  /** The day of the week: 1 is Sunday, 7 is Saturday. */
  readonly day: number;
  readonly hour: number;
  /**
   * Hours of each day in which no maintenance starts. `end` is exclusive. If `end` is before `start`, the hours span
   * midnight.
   */
  readonly protectedHours?: { readonly start: number; readonly end: number };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;

/** Returns the next start of a window after `now`. */
export function nextStart({ day, hour }: Window, now: Date): Date {
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const daysAhead = (day - 1 - now.getUTCDay() + 7) % 7;
  const begin = midnight + daysAhead * DAY_MS + hour * HOUR_MS;
  return new Date(begin > now.getTime() ? begin : begin + WEEK_MS);
}

/** Returns the first moment from `now` on that is outside the protected hours. */
export function earliestAllowed({ protectedHours }: Pick<Window, 'protectedHours'>, now: Date): Date {
  if (protectedHours === undefined || !isProtected(protectedHours, now.getUTCHours())) return now;
  const midnight = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const end = midnight + protectedHours.end * HOUR_MS;
  return new Date(end > now.getTime() ? end : end + DAY_MS);
}

export function isProtected({ start, end }: { readonly start: number; readonly end: number }, hour: number) {
  return start <= end ? start <= hour && hour < end : start <= hour || hour < end;
}
