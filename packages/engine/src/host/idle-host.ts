import type { MachineClock } from '@portolan/foundation/clock';
import { IdleCollection } from '@portolan/foundation/idle-collection';
import { repeat, rethrow } from '@portolan/foundation/repeat';
import { returnMemory } from '@portolan/foundation/trim-memory';

/** The time for which the process hardly works before it counts as idle. */
const IDLE_MS = 10_000;
/** An idle process may work for this share of the time. Usually it needs 0.5 %, but many search indexes need more. */
const IDLE_SHARE = 0.05;

/**
 * Whenever the process becomes idle, collects the garbage of the main thread, and returns free memory to the system. The
 * other threads do the same when they are idle. `workedMs` returns the CPU time of the process in milliseconds.
 */
export function returnMemoryWhenIdle(
  machine: MachineClock,
  workedMs: () => number,
  collect: () => void = returnMemory,
): void {
  const collection = new IdleCollection({
    machine,
    idleMs: IDLE_MS,
    workedMs,
    idleShare: IDLE_SHARE,
    collect,
  });
  // Control calls arrive all the time, so count the process as used in every round.
  repeat({ machine, first: 0, run: () => collection.touch(), interval: IDLE_MS / 2, onError: rethrow });
}
