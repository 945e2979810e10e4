import { type ClockSetting, serviceTime } from '@portolan/foundation/clock';

/**
 * The maximum delay, in machine time, with which a due snapshot is still taken. It covers a restart of the service;
 * after a longer outage the snapshot counts as missed.
 */
const MAX_DELAY_MS = 15 * 60_000;

/**
 * The service time before which due snapshots were missed. Times that a change of service time has skipped became due
 * at the change and are not missed: nothing was written in between, so a snapshot taken now has the same data.
 */
export function notMissedFrom(setting: ClockSetting, machineNow: number): number {
  if (machineNow - setting.since <= MAX_DELAY_MS) return Number.NEGATIVE_INFINITY;
  return serviceTime(setting, machineNow - MAX_DELAY_MS);
}
