import { type ClockSetting, serviceTime } from '@portolan/foundation/clock';

/**
 * Machine milliseconds that may pass between the moment when a snapshot is due and its taking: more is an absence, in
 * which none was taken. A restart is none.
 */
const MOST_LATE_MS = 15 * 60_000;

/**
 * The service time before which what is due was missed. What the operator's clock has jumped over has become due at the
 * jump: nothing was written to the cluster meanwhile, so that its snapshots are those of their moments.
 */
export function notMissedFrom(setting: ClockSetting, machineNow: number): number {
  if (machineNow - setting.since <= MOST_LATE_MS) return Number.NEGATIVE_INFINITY;
  return serviceTime(setting, machineNow - MOST_LATE_MS);
}
