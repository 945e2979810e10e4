import type { ClockSetting } from '@portolan/foundation/clock';
import type { Tx } from '../../store/index.ts';
import type { Services } from '../services.ts';
import { nextSetting } from './rules.ts';
import type { ClockChange } from './schema.ts';

/** Changes service time for all instances. The caller notifies the engines after the commit. */
export async function changeServiceTime(
  tx: Tx,
  services: Services,
  change: ClockChange,
): Promise<ClockSetting> {
  // Read from the store, since a change by another instance may not have reached this one yet.
  const before = (await services.storedClock.read(tx)) ?? services.clock.setting();
  const next = nextSetting(before, change, services.machine.now());
  await services.storedClock.set(tx, next);
  return next;
}
