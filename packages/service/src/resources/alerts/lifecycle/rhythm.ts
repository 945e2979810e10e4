/** When somebody is told of an alert (behaviour reference 8.2). Pure: dates in, dates out. */

const MINUTE_MS = 60_000;

export interface Rhythm {
  /** Minutes that the condition lasts before the first notification. */
  readonly delayMin: number;
  /** Minutes between two notifications; absent: the receiver repeats by itself. */
  readonly intervalMin?: number | undefined;
}

/** When the first notification is due for a condition that was seen first at `created`. */
export function firstDue(created: Date, { delayMin }: Rhythm): Date {
  return new Date(created.getTime() + delayMin * MINUTE_MS);
}

/**
 * When the next one is due after that of `due`, seen from `now`: the steps stay those of the first, so that late ones do
 * not push the later ones on, and of steps that were missed all but one fall away. None where nothing repeats.
 */
export function nextDue(due: Date, { intervalMin }: Rhythm, now: Date): Date | undefined {
  // The service's own configurations may hold 0: told once.
  if (intervalMin === undefined || intervalMin <= 0) return undefined;
  const step = intervalMin * MINUTE_MS;
  const passed = Math.max(0, Math.floor((now.getTime() - due.getTime()) / step));
  return new Date(due.getTime() + (passed + 1) * step);
}

/** When an alert opens: with the first notification that is due. */
export function opening(created: Date, rhythms: readonly Rhythm[]): Date {
  return rhythms
    .map((rhythm) => firstDue(created, rhythm))
    .reduce((first, due) => (due < first ? due : first), new Date(8.64e15));
}
