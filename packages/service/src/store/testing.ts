import { machineClock, serviceClock } from '@portolan/foundation/clock';
import { ids } from '@portolan/foundation/ids';
import { silentLog } from '@portolan/foundation/log';
import { systemRandom } from '@portolan/foundation/random';
import { type DatabaseLocation, openStore, type StoreOptions } from './open.ts';
import type { Store } from './store.ts';

/** What is left to do when whoever uses a thing is done with it; a `TestContext` is one. */
export interface Ending {
  after(run: () => unknown): void;
}

/**
 * A store for a test; it is closed when the test is over. A machine clock that is given is the one that leases run by.
 * Time limits and pauses of the store itself stay real: a clock that stands still would make it wait for ever.
 */
export async function openTestStore(
  t: Ending,
  database: DatabaseLocation,
  options: Partial<StoreOptions> = {},
): Promise<Store> {
  const machine = machineClock();
  const leases = options.machine ?? machine;
  // As the two databases have it: one process keeps a time of its own, several agree on that of day.
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
