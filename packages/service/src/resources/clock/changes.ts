import type { ClockSetting } from '@portolan/foundation/clock';
import type { Tx } from '../../store/index.ts';
import type { Services } from '../services.ts';
import { nextSetting } from './rules.ts';
import type { ClockChange } from './schema.ts';

/** Changes service time for all instances. After the commit, the caller must notify the engines. */
export async function changeServiceTime(
  tx: Tx,
  services: Services,
  change: ClockChange,
): Promise<ClockSetting> {
  // Read the setting from the store. Another instance may just have changed it, and this instance may not have noticed
  // the change yet.
  const before = (await services.storedClock.read(tx)) ?? services.clock.setting();
  const next = nextSetting(before, change, services.machine.now());
  await services.storedClock.set(tx, next);
  return next;
}
