import type { ClockSetting, MachineClock, ServiceClock } from '@portolan/foundation/clock';
import { repeat } from '@portolan/foundation/repeat';
import { settings } from './settings.ts';
import type { ReadTx, Store, Tx } from './store.ts';

/** The stored setting of service time. It survives restarts, and every instance applies it. */
export interface StoredClock {
  /** Returns the stored setting; undefined if the clock was never changed. */
  read(tx: ReadTx): Promise<ClockSetting | undefined>;
  /** Stores a setting. It takes effect in this process at the commit, and in other processes within one second. */
  set(tx: Tx, setting: ClockSetting): Promise<void>;
  close(): Promise<void>;
}

/**
 * A setting with a number that increases with each change. The number prevents a poll with an old result from undoing a
 * change by this process.
 */
interface Revision {
  readonly revision: number;
  readonly setting: ClockSetting;
}

const NAME = 'service-clock';
/** Polling interval. Every instance must apply a change within one second. */
const POLL_MS = 500;

/** Sets `clock` to the stored setting, and follows later changes. */
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
    // Ignore errors. Service time continues, and other code that uses the database reports its failure.
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
