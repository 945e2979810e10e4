import type { ClockSetting, MachineClock, ServiceClock } from '@portolan/foundation/clock';
import { repeat } from '@portolan/foundation/repeat';
import { settings } from './settings.ts';
import type { ReadTx, Store, Tx } from './store.ts';

/** The setting of service time, kept in the store: it survives a restart and reaches every instance. */
export interface StoredClock {
  /** The setting that is stored; undefined while nobody has moved the clock. */
  read(tx: ReadTx): Promise<ClockSetting | undefined>;
  /** Takes effect in this process when the transaction commits, in others within a second. */
  set(tx: Tx, setting: ClockSetting): Promise<void>;
  close(): Promise<void>;
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
  const read = (tx: ReadTx) => settings.read<Revision>(tx, NAME);

  function follow(stored: Revision | undefined): void {
    if (stored === undefined || stored.revision <= known) return;
    known = stored.revision;
    clock.set(stored.setting);
  }

  follow(await store.read(read));
  const polling = repeat({
    machine,
    async run(signal) {
      const stored = await store.read(read);
      if (!signal.aborted) follow(stored);
    },
    interval: store.capabilities.shared ? POLL_MS : Number.POSITIVE_INFINITY,
    // An unreachable database is reported by those who need it; the clock goes on meanwhile.
    onError: () => {},
  });
  return {
    read: async (tx) => (await read(tx))?.setting,
    async set(tx, setting) {
      const revision = ((await read(tx))?.revision ?? 0) + 1;
      await settings.write<Revision>(tx, NAME, { revision, setting });
      tx.afterCommit(() => follow({ revision, setting }));
    },
    close: () => polling.stop(),
  };
}
