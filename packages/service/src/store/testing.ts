import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { ids } from '@portolan/foundation/ids';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { type DatabaseLocation, openStore, type StoreOptions } from './open.ts';
import type { Store } from './store.ts';

/** Registers cleanup functions, as a `TestContext` does. */
export interface Ending {
  after(run: () => unknown): void;
}

/**
 * Opens a store that is closed after the test. Leases use the given machine clock, if there is one. Timeouts and pauses
 * of the store use real time, because a test clock that does not advance would block the store.
 */
export async function openTestStore(
  t: Ending,
  database: DatabaseLocation,
  options: Partial<StoreOptions> = {},
): Promise<Store> {
  const machine = machineClock();
  const leases = options.machine ?? machine;
  // Choose the clock as in production: a single process uses monotonic time, and several processes use the time of day.
  const leaseClock = 'file' in database ? () => Math.floor(leases.monotonic()) : leases.now;
  const random = systemRandom();
  const store = await openStore({
    random,
    clock: serviceClock(machine),
    ids: ids(machine.now, random),
    log: silentLog(),
    migrations: [],
    leaseClock,
    ...options,
    machine,
    database,
  });
  t.after(() => store.close());
  return store;
}
