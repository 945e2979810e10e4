import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { repeat } from '@portolan/foundation/repeat';

/** Writes what many requests leave behind, all of it at once and a little later. */
export interface Batches {
  /** Has the batch written within `BATCH_INTERVAL_MS`. */
  soon(): void;
  /** Writes it now. */
  flush(): Promise<void>;
  /** Writes what is left. */
  close(): Promise<void>;
}

/** One commit per second at most, and none while nobody calls. */
const BATCH_INTERVAL_MS = 1000;

/** What is gathered at most before it is written, so that a flood of requests cannot fill the memory. */
export const MAX_BATCH = 10_000;

export function batches(
  parts: { readonly machine: MachineClock; readonly log: Log },
  what: string,
  write: () => Promise<void>,
): Batches {
  const { machine, log } = parts;
  const writing = repeat({
    machine,
    run: write,
    interval: Number.POSITIVE_INFINITY,
    onError: (error) => log.warn({ reason: error.message }, `${what} could not be written`),
  });
  function flush(): Promise<void> {
    writing.wake();
    return writing.idle();
  }

  return {
    soon: () => writing.wake(BATCH_INTERVAL_MS),
    flush,
    async close() {
      await flush();
      await writing.stop();
    },
  };
}
