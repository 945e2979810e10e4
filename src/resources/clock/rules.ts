import { type ClockSetting, serviceTime } from '../../runtime/clock.ts';
import type { ClockChange } from './schema.ts';

/** Every change begins a new stretch at this moment of the machine, so that what has passed stays as it was. */
export function nextSetting(before: ClockSetting, change: ClockChange, machineNow: number): ClockSetting {
  const start = change.now === undefined ? serviceTime(before, machineNow) : new Date(change.now).getTime();
  const going = change.rate ?? (before.rate === 0 && change.frozen === false ? 1 : before.rate);
  return {
    at: start + (change.advanceSeconds ?? 0) * 1000,
    since: machineNow,
    rate: change.frozen === true ? 0 : going,
  };
}
