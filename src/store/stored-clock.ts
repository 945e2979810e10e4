import type { ClockSetting, MachineClock, ServiceClock } from '../runtime/clock.ts';
import { settings } from './settings.ts';
import type { ReadTx, Store, Tx } from './store.ts';

/** The setting of service time, kept in the store: it survives a restart and reaches every instance. */
export interface StoredClock {
  /** The setting that is stored; undefined while nobody has moved the clock. */
  read(tx: ReadTx): Promise<ClockSetting | undefined>;
  /** Takes effect in this process when the transaction commits, in others within a second. */
  set(tx: Tx, setting: ClockSetting): Promise<void>;
  close(): void;
}

const NAME = 'service-clock';
/** Half of the second in which other instances must see a change. */
const POLL_MS = 500;

/** Brings `clock` to what is stored, and keeps it there. */
export async function storedClock(
  store: Store,
  clock: ServiceClock,
  machine: MachineClock,
): Promise<StoredClock> {
  let closed = false;
  let cancel = () => {};
  const read = (tx: ReadTx) => settings.read<ClockSetting>(tx, NAME);

  async function follow(): Promise<void> {
    const stored = await store.read(read);
    if (!closed && stored !== undefined && !same(stored, clock.setting())) clock.set(stored);
  }
  function poll(): void {
    cancel = machine.after(POLL_MS, () => {
      // An unreachable database is reported by those who need it; the clock goes on meanwhile.
      void follow()
        .catch(() => {})
        .then(() => closed || poll());
    });
  }

  await follow();
  if (store.capabilities.shared) poll();
  return {
    read,
    async set(tx, setting) {
      await settings.write(tx, NAME, setting);
      tx.afterCommit(() => clock.set(setting));
    },
    close() {
      closed = true;
      cancel();
    },
  };
}

function same(a: ClockSetting, b: ClockSetting): boolean {
  return a.at === b.at && a.since === b.since && a.rate === b.rate;
}
