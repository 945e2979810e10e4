import type { ClockSetting } from '@portolan/foundation/clock';
import type { Tx } from '../../store/index.ts';
import type { Services } from '../services.ts';
import { nextSetting } from './rules.ts';
import type { ClockChange } from './schema.ts';

/** Changes service time for every instance; the engines are to be told once this is committed. */
export async function changeServiceTime(
  tx: Tx,
  services: Services,
  change: ClockChange,
): Promise<ClockSetting> {
  // The stored one: what another instance has set may not have reached this one yet.
  const before = (await services.storedClock.read(tx)) ?? services.clock.setting();
  const next = nextSetting(before, change, services.machine.now());
  await services.storedClock.set(tx, next);
  return next;
}
