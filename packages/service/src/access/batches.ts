import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import { repeat } from '@portolan/foundation/repeat';

/** Batches writes of many requests. */
export interface Batches {
  /** Schedules a write within `BATCH_INTERVAL_MS`. */
  soon(): void;
  /** Writes the batch now. */
  flush(): Promise<void>;
  /** Writes the last batch. */
  close(): Promise<void>;
}

/** A batch is written at most once per second. Without requests, nothing is written. */
const BATCH_INTERVAL_MS = 1000;

/** Maximum size of a batch, so that a flood of requests cannot exhaust memory. */
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
