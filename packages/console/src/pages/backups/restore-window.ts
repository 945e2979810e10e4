import type { Snapshot } from '../../api/resources.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The times to which a cluster can be restored, in milliseconds since 1970. */
interface RestoreWindow {
  readonly begin: number;
  readonly end: number;
}

/**
 * Returns the restore window. It has at most `days` days, and begins with the oldest completed snapshot in it. Returns
 * undefined if there is no such snapshot, or if a value is not known yet.
 */
export function windowOf(
  days: number | undefined,
  snapshots: readonly Pick<Snapshot, 'createdAt' | 'status'>[],
  serviceTime: string | undefined,
): RestoreWindow | undefined {
  if (days === undefined || serviceTime === undefined) return undefined;
  const end = Date.parse(serviceTime);
  const taken = snapshots
    .filter(({ status }) => status === 'completed')
    .map(({ createdAt = '' }) => Date.parse(createdAt))
    .filter((at) => at < end);
  if (taken.length === 0) return undefined;
  return { begin: Math.max(end - days * DAY_MS, Math.min(...taken)), end };
}

/** Returns a time in the form of a field for dates and times, which has no time zone. */
export function localText(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * MINUTE_MS;
  return new Date(at - offset).toISOString().slice(0, 'YYYY-MM-DDTHH:mm:ss'.length);
}
