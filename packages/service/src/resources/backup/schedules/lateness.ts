import { type ClockSetting, serviceTime } from '@portolan/foundation/clock';

/**
 * The maximum delay of a snapshot in machine time. It covers a restart of the service. After a longer outage, the
 * snapshot counts as missed.
 */
const MAX_DELAY_MS = 15 * 60_000;

/**
 * Due times before this service time count as missed. Due times that a change of service time skips do not count as
 * missed. They become due at the change: nothing was written between them, so a snapshot that is taken now has the same
 * data.
 */
export function notMissedFrom(setting: ClockSetting, machineNow: number): number {
  if (machineNow - setting.since <= MAX_DELAY_MS) return Number.NEGATIVE_INFINITY;
  return serviceTime(setting, machineNow - MAX_DELAY_MS);
}
