import { type ClockSetting, LAST_MOMENT, serviceTime } from '@portolan/foundation/clock';
import { violation } from '../../api/faults.ts';
import type { ClockChange } from './schema.ts';

/**
 * Computes the clock setting after a change. The new setting applies from the current machine time on, so
 * that earlier service times stay the same. Throws if the new service time is beyond the year 9999.
 */
export function nextSetting(before: ClockSetting, change: ClockChange, machineNow: number): ClockSetting {
  const start = change.now === undefined ? serviceTime(before, machineNow) : new Date(change.now).getTime();
  const at = start + (change.advanceSeconds ?? 0) * 1000;
  if (at > LAST_MOMENT) throw violation('advanceSeconds', 'moves the clock beyond the year 9999');
  const rate = change.rate ?? (before.rate === 0 && change.frozen === false ? 1 : before.rate);
  return {
    at,
    since: machineNow,
    rate: change.frozen === true ? 0 : rate,
  };
}
