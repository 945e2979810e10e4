import { type ClockSetting, serviceTime } from '@portolan/foundation/clock';

/**
 * The maximum delay of a snapshot, in machine time. A restart of the service takes less time. After a longer outage,
 * the snapshot counts as missed.
 */
const MAX_DELAY_MS = 15 * 60_000;

/**
 * Returns the service time before which due times count as missed. Due times that a change of service time skips do not
 * count as missed. Nothing was written between these times, so a snapshot that is taken after the change has the same
 * data.
 */
export function notMissedFrom(setting: ClockSetting, machineNow: number): number {
  if (machineNow - setting.since <= MAX_DELAY_MS) return Number.NEGATIVE_INFINITY;
  return serviceTime(setting, machineNow - MAX_DELAY_MS);
}
