/** This file computes when notifications of an alert are due (docs/contract/access.md 8.2). */

const MINUTE_MS = 60_000;

export interface NotificationSchedule {
  /** Minutes from the start of the condition to the first notification. */
  readonly delayMin: number;
  /** Minutes between two notifications. Absent if the service that receives notifications repeats them itself. */
  readonly intervalMin?: number | undefined;
}

/** Returns when the first notification is due for a condition that was first observed at `created`. */
export function firstDue(created: Date, { delayMin }: NotificationSchedule): Date {
  return new Date(created.getTime() + delayMin * MINUTE_MS);
}

/**
 * Returns the next due time after `due`; undefined if notifications do not repeat. The interval is counted from `due`,
 * so that a late notification does not delay later ones. Due times before `now` are skipped.
 */
export function nextDue(due: Date, { intervalMin }: NotificationSchedule, now: Date): Date | undefined {
  // Default configurations may have the interval 0. Their notifications are sent only once.
  if (intervalMin === undefined || intervalMin <= 0) return undefined;
  const step = intervalMin * MINUTE_MS;
  const passed = Math.max(0, Math.floor((now.getTime() - due.getTime()) / step));
  return new Date(due.getTime() + (passed + 1) * step);
}

/** Returns when an alert opens: when its first notification is due. */
export function opening(created: Date, schedules: readonly NotificationSchedule[]): Date {
  return schedules
    .map((schedule) => firstDue(created, schedule))
    .reduce((first, due) => (due < first ? due : first), new Date(8.64e15));
}
