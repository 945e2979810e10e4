/** When notifications of an alert are due (docs/contract/access.md 8.2). Pure: dates in, dates out. */

const MINUTE_MS = 60_000;

export interface NotificationSchedule {
  /** Minutes from the beginning of the condition to the first notification. */
  readonly delayMin: number;
  /** Minutes between two notifications; absent if the receiving service repeats them itself. */
  readonly intervalMin?: number | undefined;
}

/** When the first notification is due for a condition first observed at `created`. */
export function firstDue(created: Date, { delayMin }: NotificationSchedule): Date {
  return new Date(created.getTime() + delayMin * MINUTE_MS);
}

/**
 * When the next one is due after that of `due`, seen from `now`: the steps stay those of the first, so that late ones
 * do not push the later ones on, and of steps that were missed all but one fall away. None where nothing repeats.
 */
export function nextDue(due: Date, { intervalMin }: NotificationSchedule, now: Date): Date | undefined {
  // Default configurations may have 0: notify once.
  if (intervalMin === undefined || intervalMin <= 0) return undefined;
  const step = intervalMin * MINUTE_MS;
  const passed = Math.max(0, Math.floor((now.getTime() - due.getTime()) / step));
  return new Date(due.getTime() + (passed + 1) * step);
}

/** When an alert opens: when its first notification is due. */
export function opening(created: Date, rhythms: readonly NotificationSchedule[]): Date {
  return rhythms
    .map((schedule) => firstDue(created, schedule))
    .reduce((first, due) => (due < first ? due : first), new Date(8.64e15));
}
