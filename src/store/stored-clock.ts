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

/** Grows with each change: what was read before a change of our own must not undo it here. */
interface Revision {
  readonly revision: number;
  readonly setting: ClockSetting;
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
  let known = 0;
  let closed = false;
  let cancel = () => {};
  const read = (tx: ReadTx) => settings.read<Revision>(tx, NAME);

  function follow(stored: Revision | undefined): void {
    if (closed || stored === undefined || stored.revision <= known) return;
    known = stored.revision;
    clock.set(stored.setting);
  }
  function poll(): void {
    cancel = machine.after(POLL_MS, () => {
      // An unreachable database is reported by those who need it; the clock goes on meanwhile.
      void store
        .read(read)
        .then(follow, () => {})
        .then(() => closed || poll());
    });
  }

  follow(await store.read(read));
  if (store.capabilities.shared) poll();
  return {
    read: async (tx) => (await read(tx))?.setting,
    async set(tx, setting) {
      const revision = ((await read(tx))?.revision ?? 0) + 1;
      await settings.write<Revision>(tx, NAME, { revision, setting });
      tx.afterCommit(() => follow({ revision, setting }));
    },
    close() {
      closed = true;
      cancel();
    },
  };
}
