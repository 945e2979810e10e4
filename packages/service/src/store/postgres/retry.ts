import type { MachineClock } from '@portolan/foundation/clock';
import type { Random } from '@portolan/foundation/random';
import { SerialQueue } from '@portolan/foundation/serial-queue';
import { wait } from '@portolan/foundation/wait';

export interface RetryOptions {
  readonly machine: MachineClock;
  readonly random: Random;
  readonly isConflict: (error: unknown) => boolean;
  /** Maximum number of retries; with the pauses about one second. */
  readonly limit?: number;
}

/** Maximum pause between attempts, in milliseconds. */
const LONGEST_PAUSE = 8;
/**
 * From this queue length on, new transactions join the queue, since they would conflict with those that have
 * waited longer. Below it they bypass the queue, as they are mostly unrelated to it.
 */
const CROWD = 4;

/**
 * Retries transactions after conflicts. Retries of this process are queued: in parallel they would keep
 * conflicting.
 */
export function retrying(options: RetryOptions) {
  const { isConflict, limit = 200 } = options;
  const queue = new SerialQueue();

  async function again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await attempt();
      } catch (error) {
        if (!isConflict(error) || tried >= limit) throw error;
        await pause(options, tried);
      }
    }
  }

  const inTurn = <T>(attempt: () => Promise<T>) => queue.run(() => again(attempt));

  return async <T>(attempt: () => Promise<T>): Promise<T> => {
    if (queue.size >= CROWD) return inTurn(attempt);
    try {
      return await attempt();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    return inTurn(attempt);
  };
}

/** Doubles from 1 ms, with jitter, so that two instances do not conflict repeatedly. */
function pause({ machine, random }: RetryOptions, tried: number): Promise<void> {
  const longest = Math.min(2 ** (tried - 1), LONGEST_PAUSE);
  return wait(machine, 1 + random.integer(longest));
}
