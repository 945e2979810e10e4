import { type ClockSetting, serviceTime } from '@portolan/foundation/clock';

/**
 * The maximum delay of a snapshot in machine time. It covers a restart of the service. After a longer outage, the
 * snapshot counts as missed.
 */
const MAX_DELAY_MS = 15 * 60_000;

/**
 * The service time before which due snapshots count as missed. If a change of service time skips due times, they become
 * due at the change and are not missed: nothing was written between them, so a snapshot taken now has the same data.
 */
export function notMissedFrom(setting: ClockSetting, machineNow: number): number {
  if (machineNow - setting.since <= MAX_DELAY_MS) return Number.NEGATIVE_INFINITY;
  return serviceTime(setting, machineNow - MAX_DELAY_MS);
}
